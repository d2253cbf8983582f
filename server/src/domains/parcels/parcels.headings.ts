import type { HeaderNames } from '../../platform/spreadsheets/spreadsheets.headers.ts'

/** Splits lists of headings at their commas. Each line has the headings of one language. */
const splitHeadings = (...lines: string[]): string[] => lines.flatMap((line) => line.split(', '))

/**
 * The columns of an order file with their usual headings in English, Russian, and Uzbek in Latin and Cyrillic script.
 * Case, spaces, punctuation and apostrophes are ignored.
 */
export const orderHeadings = {
  orderno: splitHeadings(
    'order no, order nr, order number, order, order id, number, tracking number',
    'номер заказа, № заказа, заказ, заказ №, номер, номер отправления, номер накладной, трек номер',
    'buyurtma raqami, buyurtma, buyurtma №, buyurtma nomeri, raqam, zakaz raqami, trek raqami',
    'буюртма рақами, буюртма, буюртма №, рақам, заказ рақами, трек рақами',
  ),
  barcode: splitHeadings('bar code', 'штрихкод, штрих-код, шк, баркод', 'shtrix kod', 'штрих код'),
  date: splitHeadings(
    'order date, day',
    'дата, дата заказа, дата создания, дата оформления',
    'sana, sanasi, buyurtma sanasi',
    'сана, санаси, буюртма санаси',
  ),
  type: splitHeadings(
    'package type, parcel type, type name',
    'тип, тип отправления, тип посылки, вид, вид отправления',
    'turi, tur, joʻnatma turi',
    'тури, тур, жўнатма тури',
  ),
  weight: splitHeadings(
    'mass',
    'вес, вес посылки, масса',
    'vazn, vazni, ogʻirlik, ogʻirligi, massa',
    'вазн, вазни, оғирлик, оғирлиги',
  ),
  quantity: splitHeadings(
    'qty, places, pieces, pcs, number of places',
    'количество, кол-во, количество мест, кол-во мест, мест, шт, штук',
    'soni, son, miqdor, miqdori, joylar soni, dona',
    'сони, сон, миқдор, миқдори, жойлар сони, дона',
  ),
  service: splitHeadings(
    'service name, delivery type, delivery method, shipping method',
    'услуга, сервис, режим доставки, тип доставки, вид доставки, способ доставки',
    'xizmat, xizmat turi, yetkazish turi, yetkazib berish turi',
    'хизмат, хизмат тури, етказиш тури, етказиб бериш тури',
  ),
  delivery_price: splitHeadings(
    'delivery, delivery cost, delivery fee, shipping, shipping price, shipping cost',
    'доставка, цена доставки, стоимость доставки, сумма доставки',
    'yetkazib berish, yetkazib berish narxi, yetkazish, yetkazish narxi, dostavka, dostavka narxi',
    'етказиб бериш, етказиб бериш нархи, етказиш, етказиш нархи, доставка нархи',
  ),
  cod_amount: splitHeadings(
    'cod, cash on delivery, amount, amount to collect, to collect, sum',
    'сумма, сумма заказа, сумма к оплате, к оплате, к получению, наложенный платёж, наложка, сумма наложенного платежа, нал платёж',
    'toʻlov, toʻlov summasi, summa, summasi, buyurtma summasi, olinadigan summa, olinadi',
    'тўлов, тўлов суммаси, суммаси, буюртма суммаси, олинадиган сумма',
  ),
  pay_type: splitHeadings(
    'payment type, payment method, paid by',
    'тип оплаты, вид оплаты, способ оплаты, форма оплаты',
    'toʻlov turi, toʻlov usuli, toʻlov shakli',
    'тўлов тури, тўлов усули, тўлов шакли',
  ),
  declared_value: splitHeadings(
    'insured value, insured price, insurance value, declared price',
    'объявленная ценность, объявленная стоимость, оценочная стоимость, страховая стоимость, страховая сумма',
    'eʼlon qilingan qiymat, baholangan qiymat, sugʻurta qiymati, sugʻurta summasi',
    'эълон қилинган қиймат, баҳоланган қиймат, суғурта қиймати, суғурта суммаси',
  ),
  items: splitHeadings(
    'contents, goods, products, enclosure',
    'товары, товар, вложение, вложения, содержимое, состав заказа',
    'mahsulot, mahsulotlar, tovar, tovarlar, buyurtma tarkibi',
    'маҳсулот, маҳсулотлар, товарлар, буюртма таркиби',
  ),
  person: splitHeadings(
    'receiver, recipient, name, customer, client, full name, contact person, receiver name, recipient name, customer name, consignee',
    'получатель, фио, фио получателя, имя, имя получателя, клиент, фио клиента, имя клиента, покупатель, заказчик, контактное лицо',
    'qabul qiluvchi, qabul qiluvchi ismi, mijoz, ism, ismi, mijoz ismi, oluvchi, xaridor, fio, f.i.sh., f.i.o.',
    'қабул қилувчи, қабул қилувчи исми, мижоз, мижоз исми, олувчи, харидор, исм, исми, ф.и.ш., ф.и.о.',
  ),
  company: splitHeadings(
    'company name, organization, organisation',
    'компания, название компании, организация, фирма',
    'kompaniya, kompaniya nomi, tashkilot, firma',
    'компания номи, ташкилот',
  ),
  phone: splitHeadings(
    'phone number, phone no, telephone, tel, mobile, mobile phone, receiver phone, customer phone',
    'телефон, тел, номер телефона, телефон получателя, телефон клиента, контактный телефон, мобильный, сотовый',
    'telefon, telefon raqami, telefon nomeri, tel raqami, mijoz telefoni, mobil raqami',
    'телефон рақами, тел рақами, мижоз телефони, мобил рақами',
  ),
  address: splitHeadings(
    'street, delivery address, receiver address, full address',
    'адрес, адрес доставки, адрес получателя, адрес клиента, полный адрес, улица',
    'manzil, manzili, toʻliq manzil, yetkazish manzili, yetkazib berish manzili, koʻcha',
    'манзил, манзили, тўлиқ манзил, етказиш манзили, етказиб бериш манзили, кўча',
  ),
  town: splitHeadings(
    'city, receiver city',
    'город, населенный пункт, город получателя, регион',
    'shahar, shahri, tuman, viloyat, hudud',
    'шаҳар, шаҳри, туман, вилоят, ҳудуд',
  ),
} satisfies HeaderNames<string>

export type OrderColumn = keyof typeof orderHeadings

/** The columns of an import with histories. */
export const historyHeadings = {
  ...orderHeadings,
  courier_code: splitHeadings('courier id', 'код курьера', 'kuryer kodi', 'курьер коди'),
  courier_name: splitHeadings(
    'courier',
    'курьер, фио курьера, имя курьера',
    'kuryer, kuryer ismi',
    'курьер исми',
  ),
  courier_phone: splitHeadings(
    'courier phone number',
    'телефон курьера',
    'kuryer telefoni, kuryer raqami',
    'курьер телефони',
  ),
  status: splitHeadings('state', 'статус, состояние', 'holat, holati', 'ҳолат, ҳолати'),
  event_time: splitHeadings(
    'event date, status time',
    'время события, время статуса, дата статуса',
    'holat vaqti',
    'ҳолат вақти',
  ),
  owner: splitHeadings('username', 'владелец, пользователь', 'egasi', 'эгаси'),
} satisfies HeaderNames<string>

export type HistoryColumn = keyof typeof historyHeadings

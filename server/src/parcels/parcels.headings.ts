import type { Headings } from '../kit/tables/tables.headings.ts'

/** Wordings with commas between them, a line a language. */
const said = (...lines: string[]): string[] => lines.flatMap((line) => line.split(', '))

/**
 * The columns of an order file and how people head them: English, Russian, Uzbek in Latin and in Cyrillic.
 * Case, spaces, punctuation and apostrophes do not matter.
 */
export const orderHeadings = {
  orderno: said(
    'order no, order number, order, order id, number',
    'номер заказа, № заказа, заказ, заказ №, номер, номер отправления',
    'buyurtma raqami, buyurtma, buyurtma №, buyurtma nomeri, raqam',
    'буюртма рақами, буюртма, буюртма №, рақам',
  ),
  barcode: said('bar code', 'штрихкод, штрих-код, шк, баркод', 'shtrix kod', 'штрих код'),
  date: said(
    'order date, day',
    'дата, дата заказа, дата создания',
    'sana, buyurtma sanasi',
    'сана, буюртма санаси',
  ),
  type: said(
    'package type, type name',
    'тип, тип отправления, тип посылки, вид, вид отправления',
    'turi, tur, joʻnatma turi',
    'тури, тур, жўнатма тури',
  ),
  weight: said(
    'weight kg',
    'вес, вес кг, масса, масса кг',
    'vazn, vazni, vazn kg, ogʻirlik, ogʻirligi, ogʻirligi kg',
    'вазн, вазни, вазн кг, оғирлик, оғирлиги, оғирлиги кг',
  ),
  quantity: said(
    'qty, places, pieces',
    'количество, кол-во, количество мест, кол-во мест, мест, мест шт',
    'soni, son, miqdor, miqdori, joylar soni',
    'сони, сон, миқдор, миқдори, жойлар сони',
  ),
  service: said(
    'service name',
    'услуга, сервис, режим доставки',
    'xizmat, xizmat turi',
    'хизмат, хизмат тури',
  ),
  delivery_price: said(
    'delivery, delivery cost, shipping, shipping price',
    'доставка, доставка сум, цена доставки, стоимость доставки',
    'yetkazib berish, yetkazib berish narxi, yetkazish narxi, dostavka, dostavka narxi',
    'етказиб бериш, етказиб бериш нархи, етказиш нархи, доставка нархи',
  ),
  person: said(
    'receiver, recipient, name, customer, client, full name, contact person',
    'получатель, фио, фио получателя, имя, имя получателя, клиент, контактное лицо',
    'qabul qiluvchi, qabul qiluvchi ismi, mijoz, ism, ismi, fio, f.i.sh., f.i.o.',
    'қабул қилувчи, қабул қилувчи исми, мижоз, исм, исми, ф.и.ш., ф.и.о.',
  ),
  company: said(
    'organization, organisation',
    'компания, организация, фирма',
    'kompaniya, tashkilot, firma',
    'компания номи, ташкилот',
  ),
  phone: said(
    'phone number, telephone, tel, mobile',
    'телефон, тел, номер телефона, телефон получателя',
    'telefon, telefon raqami, tel raqami',
    'телефон рақами, тел рақами',
  ),
  address: said(
    'street, delivery address',
    'адрес, адрес доставки, адрес получателя',
    'manzil, manzili, yetkazish manzili',
    'манзил, манзили, етказиш манзили',
  ),
  town: said(
    'city',
    'город, населенный пункт, город получателя, регион',
    'shahar, shahri, tuman, viloyat',
    'шаҳар, шаҳри, туман, вилоят',
  ),
} satisfies Headings<string>

export type OrderColumn = keyof typeof orderHeadings

/** What the import of whole histories knows besides. */
export const historyHeadings = {
  ...orderHeadings,
  status: said('state', 'статус, состояние', 'holat, holati', 'ҳолат, ҳолати'),
  event_time: said(
    'event date, status time',
    'время события, время статуса, дата статуса',
    'holat vaqti',
    'ҳолат вақти',
  ),
  owner: said('username', 'владелец, пользователь', 'egasi', 'эгаси'),
} satisfies Headings<string>

export type HistoryColumn = keyof typeof historyHeadings

// The demo's data: invented people and shops, with goods and prices that are usual in Uzbekistan.

export const roles = [
  {
    code: 'buyer',
    name: 'Media buyer',
    description: 'Runs ads and follows own streams',
    sources: ['100k.uz', 'sotuvchi.com'],
  },
  {
    code: 'buyer-100k',
    name: 'Media buyer, 100k.uz',
    description: 'Works with 100k.uz alone',
    sources: ['100k.uz'],
  },
  { code: 'shop', name: 'Shop', description: 'Sends parcels, has no ads', sources: [] },
] as const

export const people = [
  { username: 'aziz', name: 'Азиз Каримов', role: 'buyer', parcels: 4 },
  { username: 'malika', name: "Malika To'xtayeva", role: 'buyer-100k', parcels: 2 },
  { username: 'sardor', name: 'Sardor Rahimov', role: 'buyer', parcels: 1 },
  { username: 'olcha', name: 'Olcha Market', role: 'shop', parcels: 3 },
  { username: 'nurafshon', name: 'ООО «Нурафшон Трейд»', role: 'shop', parcels: 2 },
] as const

/** The people whose passwords are shown: a buyer with both networks, a buyer with one network, and a shop. */
export const shownUsernames = ['aziz', 'malika', 'olcha'] as const

export const sources = [
  { name: '100k.uz', url: 'https://100k.uz', description: 'Товарная партнёрская сеть', firstLead: 812_000 },
  { name: 'sotuvchi.com', url: 'https://sotuvchi.com', description: 'CPA tarmog‘i', firstLead: 55_300 },
] as const

export const stores = ['Texnomart', 'Olcha', 'Asaxiy', 'Uzum', 'Mediapark'] as const

/** The couriers who deliver the demo's parcels. */
export const couriers: readonly (readonly [code: string, name: string, phone: string])[] = [
  ['11', 'Жасур Рахимов', '+998 93 111-22-33'],
  ['12', 'Отабек Юлдашев', '+998 90 222-33-44'],
  ['15', 'Sherzod Aliyev', '+998 97 333-44-55'],
  ['18', 'Рустам Хакимов', '+998 94 444-55-66'],
]

/** These ten goods are inserted last, because the list shows its newest rows first. */
export const goods: readonly (readonly [
  name: string,
  price: number,
  fee: number,
  store: string,
  status: string,
  source: string,
])[] = [
  ['Smart soat X9', 149_000, 32_000, 'Texnomart', 'Active', '100k.uz'],
  ['Massaj yostigʻi', 219_000, 45_000, 'Olcha', 'Active', 'sotuvchi.com'],
  ['Blender Pro 600', 329_000, 60_000, 'Asaxiy', 'Paused', '100k.uz'],
  ['LED lampa toʻplami', 89_000, 18_000, 'Uzum', 'Active', '100k.uz'],
  ['Bolalar velosipedi', 890_000, 110_000, 'Mediapark', 'Active', 'sotuvchi.com'],
  ['Чемодан L', 459_000, 80_000, 'Olcha', 'Draft', '100k.uz'],
  ['Фен-стайлер', 389_000, 70_000, 'Texnomart', 'Active', '100k.uz'],
  ['Кофемолка', 179_000, 30_000, 'Asaxiy', 'Active', 'sotuvchi.com'],
  ['Robot changyutgich', 1_290_000, 160_000, 'Uzum', 'Active', '100k.uz'],
  ['Powerbank 20 000', 159_000, 28_000, 'Mediapark', 'Paused', '100k.uz'],
]

export const moreGoods = [
  ['Simsiz quloqchin', 129_000],
  ['Увлажнитель воздуха', 199_000],
  ['Choynak 1.8 l', 169_000],
  ['Тонометр', 249_000],
  ['Bolalar aravachasi', 1_150_000],
  ['Мультиварка', 549_000],
  ['Sport sumka', 119_000],
  ['Электробритва', 289_000],
  ['Oshxona tarozisi', 79_000],
  ['Видеорегистратор', 419_000],
  ['Proyektor mini', 690_000],
  ['Ортопедическая подушка', 189_000],
  ['Termos 1 l', 99_000],
  ['Набор ножей', 239_000],
  ['Kamera Wi-Fi', 279_000],
  ['Гриль электрический', 479_000],
  ['Yoga gilamchasi', 109_000],
  ['Детский планшет', 599_000],
  ['Soch quritgich', 159_000],
  ['Пылесос ручной', 349_000],
] as const

export const variants = ['', ' Plus', ' Mini', ' Pro', ' 2 dona'] as const

export const channels = ['Reels', 'Telegram', 'TikTok', 'Instagram', 'YouTube', 'Facebook'] as const

export const persons = [
  'Азиза Юсупова',
  'Жасур Рахимов',
  "Malika To'xtayeva",
  'Бобур Алимов',
  'Севара Исмоилова',
  'Otabek Qodirov',
  'Гулнора Саидова',
  'Шерзод Мирзаев',
  'Nilufar Ergasheva',
  'Дилшод Хамидов',
  'Zarina Normatova',
  'Улугбек Турсунов',
  "Feruza G'ofurova",
  'Санжар Усмонов',
  'Lola Abdurahmonova',
  'Рустам Каюмов',
  'Kamola Yoʻldosheva',
  'Тимур Назаров',
] as const

/** Towns with their streets and delivery prices. */
export const towns: readonly (readonly [town: string, streets: readonly string[], price: number])[] = [
  ['Ташкент', ['Чиланзар 9', 'Юнусабад 4', 'ул. Амира Темура', 'Сергели 7'], 38_000],
  ['Самарканд', ['ул. Регистан', 'Университетский бульвар'], 45_000],
  ['Андижан', ['ул. Навои', 'ул. Бабура'], 52_000],
  ['Бухара', ['ул. Накшбанди', 'ул. Мустакиллик'], 48_000],
  ['Наманган', ['ул. Дустлик', 'ул. Уйчи'], 41_000],
  ['Фергана', ['ул. Аль-Фергани', 'ул. Мустакиллик'], 47_000],
  ['Карши', ['ул. Насаф', 'ул. Узбекистан'], 58_000],
  ['Нукус', ['ул. Бердаха', 'ул. Досназарова'], 64_000],
  ['Термез', ['ул. Хакима Термизи'], 61_000],
  ['Ургенч', ['ул. Аль-Хорезми'], 60_000],
  ['Джизак', ['ул. Шараф Рашидов'], 44_000],
  ['Навои', ['ул. Галаба'], 46_000],
]

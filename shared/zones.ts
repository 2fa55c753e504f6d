/** Names in the database without an area. ICU also accepts abbreviations like BST, which it takes for another place: those aren't valid names. */
const PLAIN_ZONES = [
  ...[
    'UTC',
    'GMT',
    'UCT',
    'EST',
    'MST',
    'HST',
    'CET',
    'EET',
    'MET',
    'WET',
    'EST5EDT',
    'CST6CDT',
    'MST7MDT',
    'PST8PDT',
    'GB',
    'GB-Eire',
    'NZ',
    'NZ-CHAT',
    'PRC',
    'ROC',
    'ROK',
    'W-SU',
    'GMT0',
    'GMT+0',
    'GMT-0',
  ],
  ...[
    'Cuba',
    'Egypt',
    'Eire',
    'Greenwich',
    'Hongkong',
    'Iceland',
    'Iran',
    'Israel',
    'Jamaica',
    'Japan',
    'Kwajalein',
    'Libya',
    'Navajo',
    'Poland',
    'Portugal',
    'Singapore',
    'Turkey',
    'Universal',
    'Zulu',
  ],
]

/**
 * Returns a name of the IANA time zone database in its canonical case; links are kept as typed (`site-and-people.md` §1). Null for offsets (`+01:00`),
 * other abbreviations (`BST`) and anything else.
 */
export function zoneNamed(text: string): string | null {
  const same = (zone: string) => zone.toLowerCase() === text.toLowerCase()
  if (!text.includes('/')) return PLAIN_ZONES.find(same) ?? null
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(text)) return null
  let resolved: string
  try {
    resolved = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return null
  }
  if (same(resolved)) return resolved
  const [area = '', ...places] = text.toLowerCase().split('/')
  const capital = (part: string) => part.replace(/(^|[_-])([a-z])/g, (_, gap: string, letter: string) => gap + letter.toUpperCase())
  return [area === 'us' ? 'US' : capital(area), ...places.map(place => (area === 'etc' ? place.toUpperCase() : capital(place)))].join('/')
}

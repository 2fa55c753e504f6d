// What the people on call can see and what they can't: removed here, on the server and in the app alike, before anything is written or sent
// (`site-and-people.md` §9).

const CUTS: readonly [RegExp, string][] = [
  // The query string of a URL says what or who was searched for, or contains a key to it.
  [/\?[^\s"<>)\]]+/g, '?[query]'],
  [/#(?:[^\s"<>)\]]*=[^\s"<>)\]]*)/g, '#[fragment]'],
  [/(?<=[\w/])#[\w.~%-]{16,}/g, '#[fragment]'],
  // One of our own tokens, as in links: 256 bits in base64url.
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{43}(?![\w-])/g, '[token]'],
  // A token: three parts of base64url, the first a JSON object.
  [/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, '[token]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 [token]'],
  [/[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+/g, '[address]'],
  // Any value under a name that suggests a secret, in JSON, in a query or in words.
  [/("?(?:[\w-]*(?:password|passwd|secret|token|authorization|api[_-]?key))"?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;&)}\]]+)/gi, '$1[out]'],
  // Phone numbers, cards, and the like; our ids are shorter runs of digits between letters and dashes.
  [/(?<![\w-])\+?\d(?:[\s().-]?\d){6,}(?![\w-])/g, '[number]'],
]

/** Returns text without tokens, email addresses, query strings, long numbers, or any value under `password` or `token`; at most `max` characters. */
export function scrubbed(text: string, max: number): string {
  // The text is first truncated to more than is kept, so that no pattern runs over megabytes of text and nothing that is cut in two escapes.
  let out = text.slice(0, max * 4)
  for (const [pattern, instead] of CUTS) out = out.replace(pattern, instead)
  return out.slice(0, max)
}

const IDS = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi

/** Returns the pattern of a page's URL, never the URL itself: `/sites/:id/permits/:id`. */
export const routePattern = (path: string): string =>
  scrubbed(
    path
      .replace(/[?#].*$/s, '')
      .replace(IDS, ':id')
      .replace(/\/\d+(?=\/|$)/g, '/:n'),
    200,
  )

/** Returns the network of an IP address: IPv4 as /24, IPv6 as /48; null when it is neither. */
export function networkOf(address: string): string | null {
  const v4 = /(?:^|:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.\d{1,3}$/.exec(address)
  if (v4 !== null) return `${v4[1]}.${v4[2]}.${v4[3]}.0/24`
  if (!/^[0-9a-f:]+$/i.test(address) || !address.includes(':')) return null
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length)
  const groups = [...front, ...Array<string>(gap).fill('0'), ...back]
  return groups.length === 8
    ? `${groups
        .slice(0, 3)
        .map(group => Number.parseInt(group, 16).toString(16))
        .join(':')}::/48`
    : null
}

/** Words of a User-Agent header, the more precise first: an Android device also says Linux, an iPhone says Mac OS, and most browsers say Chrome and Safari. */
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux']
const BROWSERS = ['Edg', 'Firefox', 'Chrome', 'Safari']

/** Returns the browser and system that a User-Agent header names, as a person would recognise their device ("Chrome, Android"); null if it names neither. */
export function deviceNameOf(agent: string): string | null {
  const found = [BROWSERS, SYSTEMS].flatMap(words => words.find(word => agent.includes(word)) ?? [])
  return found.join(', ').replace('Edg', 'Edge') || null
}

/** Returns a language tag (BCP 47) in its usual spelling; null for anything else, such as an empty text, `*` or `en_GB`, which `Intl` refuses. */
export function localeOf(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null
  } catch {
    return null
  }
}

/** Returns the first language that a reader asks for in `Accept-Language` (RFC 9110); null if there is none. */
export function localeAsked(header: string | undefined): string | null {
  for (const range of header?.split(',') ?? []) {
    const locale = localeOf(range.split(';')[0]?.trim() ?? '')
    if (locale !== null) return locale
  }
  return null
}

// Texts of drawings without their codes. Pure.
import { unescaped } from './dxf-tags.ts'

/** What each code of MTEXT is (the lengths of their values are bounded, so that a hostile text takes no longer than another), tried in this order: an escaped sign, a stacked fraction, a code with a value, one without, and a group. */
const MTEXT = /\\([\\{}])|\\(P|~)|\\S([^;^/#]{0,100})[\^/#]([^;]{0,100});|\\[ACFHQTWcfp][^;]{0,300};|\\[LlOoKkNX]|[{}]/g

/** Returns text without the codes of MTEXT. */
export const plainMtext = (text: string): string =>
  unescaped(text).replace(MTEXT, (_, sign?: string, space?: string, above?: string, below?: string) => {
    if (above !== undefined) return `${above}/${below?.trim()}`
    return sign ?? (space === undefined ? '' : space === 'P' ? '\n' : ' ')
  })

/** The control characters that are written with a caret; a caret is followed by a space. */
const CARETS: Readonly<Record<string, string>> = { '^I': '\t', '^J': '\n', '^M': '', '^ ': '^' }

/** Returns text with the signs that are written as `%%d`. */
export const plainText = (text: string): string =>
  unescaped(text)
    .replace(/%%d/gi, '°')
    .replace(/%%p/gi, '±')
    .replace(/%%c/gi, 'Ø')
    .replace(/%%(\d{3})/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/%%[uok]/gi, '')
    .replace(/%%%/g, '%')
    .replace(/\^[IJM ]/g, code => CARETS[code] ?? code)

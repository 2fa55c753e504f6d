// Texts of drawings without their codes. Pure.
import { unescaped } from './dxf-tags.ts'

/** Returns text without the codes of MTEXT. */
export function plainMtext(text: string): string {
  return unescaped(text)
    .replace(/\\P/g, '\n')
    .replace(/\\~/g, ' ')
    .replace(/\\S([^;^/#]*)[\^/#]([^;]*);/g, '$1/$2')
    .replace(/\\[ACFHQTWfp][^;]*;/g, '')
    .replace(/\\[LlOoKkNX]/g, '')
    .replace(/(?<!\\)[{}]/g, '')
    .replace(/\\([\\{}])/g, '$1')
}

/** Returns text with the signs that are written as `%%d`. */
export const plainText = (text: string): string =>
  unescaped(text)
    .replace(/%%d/gi, '°')
    .replace(/%%p/gi, '±')
    .replace(/%%c/gi, 'Ø')
    .replace(/%%(\d{3})/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/%%[uok]/gi, '')
    .replace(/%%%/g, '%')

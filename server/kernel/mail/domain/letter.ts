/** A part of an email. */
export type Block =
  /** A paragraph. */
  | { say: string }
  /** The action of the email: a button, and in the plain text the URL itself. */
  | { press: string; url: string }
  /** Another person's words, exactly as typed. */
  | { quote: string; by: string }
  /** Secondary information. */
  | { aside: string }

/** The content of an email. */
export type Said = { subject: string; blocks: Block[] }

const safe = (text: string): string => text.replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c)
const lines = (text: string): string => safe(text).replaceAll('\n', '<br>')

const asText = (block: Block): string => {
  if ('say' in block) return block.say
  if ('press' in block) return `${block.press}:\n${block.url}`
  if ('quote' in block) return `${block.by}:\n${block.quote.replace(/^/gm, '> ')}`
  return block.aside
}

const INK = '#1d1f21'
const SOFT = '#5c6066'
const BLUE = '#1f4e8c'

const asHtml = (block: Block): string => {
  if ('say' in block) return `<p style="margin:0 0 16px">${lines(block.say)}</p>`
  if ('press' in block)
    return `<p style="margin:24px 0"><a href="${safe(block.url)}" style="display:inline-block;background:${BLUE};color:#ffffff;text-decoration:none;font-weight:600;padding:14px 24px;border-radius:6px">${safe(block.press)}</a></p>`
  if ('quote' in block)
    return `<p style="margin:0 0 4px;color:${SOFT}">${safe(block.by)}:</p><blockquote style="margin:0 0 16px;padding:8px 16px;border-left:4px solid ${BLUE}">${lines(block.quote)}</blockquote>`
  return `<p style="margin:0 0 12px;color:${SOFT};font-size:14px">${lines(block.aside)}</p>`
}

/** Returns both parts of an email: the same words as plain text and as HTML, without pictures and without tracking. */
export function written({ subject, blocks }: Said, lang: string): { text: string; html: string } {
  const text = `${blocks.map(asText).join('\n\n')}\n\n-- \nWalkdown\n`
  const body = blocks.map(asHtml).join('\n')
  const html = `<!doctype html>
<html lang="${safe(lang)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${safe(subject)}</title></head>
<body style="margin:0;padding:24px 16px;background:#f4f3f0"><div style="max-width:560px;margin:0 auto;background:#ffffff;border:1px solid #d8d6d1;border-radius:6px;padding:24px;color:${INK};font:16px/1.5 'IBM Plex Sans',Helvetica,Arial,sans-serif">
<p style="margin:0 0 24px;color:${BLUE};font-weight:700">Walkdown</p>
${body}
</div></body></html>
`
  return { text, html }
}

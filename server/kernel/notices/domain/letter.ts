// The texts of emails and push messages with one or several notifications; the mail kernel writes the same words as text and HTML.
import { counted } from '../../../../shared/text.ts'
import type { Block, Said } from '../../mail/domain/letter.ts'
import type { NoticeKind } from './kinds.ts'
import { cut, oneLine, titleForMany } from './words.ts'

/** One notification in a message. */
export type Item = { kind: string; title: string; body: string; when: string; link: string | null }

const SUBJECT_LIMIT = 150
const LISTED = 50

/** Returns the title of a message: of its only notification, of several of one kind, or of several kinds. */
export function titleOf(items: readonly Item[], kind: Pick<NoticeKind, 'many'> | undefined, site: string): string {
  const [first] = items
  if (first !== undefined && items.length === 1) return first.title
  const same = items.every(item => item.kind === first?.kind)
  return same && kind !== undefined ? titleForMany(kind.many, items.length) : `${counted(items.length, 'notification')} from ${site}`
}

const itemBlock = (item: Item, several: boolean): Block[] => {
  const words = item.body === '' ? item.title : `${item.title}\n${item.body}`
  return [{ say: several ? `• ${words}` : words }]
}

/** Makes an email with one or several notifications. */
export function letterOf(
  items: readonly Item[],
  facts: {
    name: string
    site: string
    title: string
    open_url: string
    /** The token is after the #, unlike in the header `List-Unsubscribe`, whose URL programs open (RFC 8058). */
    unsubscribe_url: string
    single_kind: string | null
    test?: boolean
  },
): Said {
  const several = items.length > 1
  const shown = items.slice(0, LISTED)
  const more = items.length - shown.length
  const [first] = items
  return {
    subject: cut(oneLine(`${facts.title} – ${facts.site}`, 1000), SUBJECT_LIMIT),
    blocks: [
      ...(several ? [{ say: `${facts.title}:` }] : []),
      ...shown.flatMap(item => itemBlock(item, several)),
      ...(more > 0 ? [{ say: `… and ${more} more in Walkdown.` }] : []),
      { press: 'Open Walkdown', url: facts.open_url },
      { aside: several || first === undefined ? facts.site : `${facts.site}, ${first.when}` },
      {
        aside: `You’re receiving this email because you’re a member of ${facts.site}. ${
          facts.single_kind === null ? 'To stop these emails' : `To stop “${facts.single_kind}” emails`
        }: ${facts.unsubscribe_url}`,
      },
    ],
  }
}

/** Returns the text of a push message: a title, and the rest in a few words. */
export function pushWords(items: readonly Item[], title: string, site: string): { title: string; body: string } {
  const [first] = items
  if (first !== undefined && items.length === 1) return { title, body: cut(first.body === '' ? site : `${first.body} (${site})`, 500) }
  return { title, body: cut(`${site}: ${items.map(item => item.title).join('; ')}`, 500) }
}

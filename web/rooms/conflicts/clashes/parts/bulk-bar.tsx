import { useKeys } from '../../../../base/keys.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { t as listText } from '../../../../base/records/says.ts'
import { type Kind, MOST } from '../decisions.ts'
import { t } from '../says.ts'
import type { Episode } from '../types.ts'

type Given = {
  ids: ReadonlySet<string>
  shown: readonly Episode[]
  onChoose(ids: ReadonlySet<string>): void
  onDecide(episodes: readonly Episode[], kind: Kind): void
}

const NOBODY: ReadonlySet<string> = new Set()

/** Returns the clash of the row with the focus. */
export const focusedIn = (shown: readonly Episode[]): Episode[] => {
  const id = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row
  return shown.filter(one => one.id === id)
}

/** What can be decided about the selected clashes, all at once, within reach of a thumb. Keys decide about them too, or else about the clash with the focus. */
export function BulkBar({ ids, shown, onChoose, onDecide }: Given) {
  const chosen = shown.filter(one => ids.has(one.id))
  const press = (kind: Kind) => onDecide(chosen.length > 0 ? chosen : focusedIn(shown), kind)
  const all = () => onChoose(new Set(shown.slice(0, MOST).map(one => one.id)))
  const none = () => onChoose(NOBODY)
  useKeys({
    a: () => press('accepted'),
    n: () => press('not_a_clash'),
    r: () => press('resolving'),
    A: all,
    ...(chosen.length === 0 ? {} : { Escape: none }),
  })
  if (chosen.length === 0) return null
  return (
    <div className="submit-bar clash-bar">
      <span className="row">
        <span className="strong" role="status">
          {listText('listing.chosen', { n: chosen.length })}
        </span>
        {chosen.length < shown.length && (
          <Button look="quiet" onClick={all}>
            {t('clashes.choose_all', { n: Math.min(shown.length, MOST) })}
          </Button>
        )}
        <Button look="quiet" onClick={none}>
          {listText('listing.choose_none')}
        </Button>
      </span>
      <span className="row">
        <Button onClick={() => onDecide(chosen, 'accepted')}>{t('clashes.accept')}</Button>
        <Button onClick={() => onDecide(chosen, 'not_a_clash')}>{t('clashes.not_a_clash')}</Button>
        <Button onClick={() => onDecide(chosen, 'resolving')}>{t('clashes.resolve')}</Button>
      </span>
    </div>
  )
}

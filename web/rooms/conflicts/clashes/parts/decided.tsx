import { Button } from '../../../../base/kit/button.tsx'
import { SeverityBadge } from '../../../permits/permits/door.tsx'
import { type Faults, flagFor, type Kind, type Moved } from '../decisions.ts'
import { t, tOf } from '../says.ts'
import { pairOf } from '../sides.ts'
import type { Episode } from '../types.ts'

type Given = {
  episodes: readonly Episode[]
  kind: Kind
  moved: ReadonlyMap<string, Moved>
  /** What the service found wrong with single clashes. */
  faults: Faults['items']
  onTake(episodes: readonly Episode[]): void
}

/** The clashes of a decision about several: each can be left out, and says why it can’t be decided on like the others. */
export function Decided({ episodes, kind, moved, faults, onTake }: Given) {
  return (
    <ul className="lines clash-decided" aria-label={t('clashes.decided_list')}>
      {episodes.map(one => {
        const { allowed, because } = flagFor(one, kind)
        const is = moved.get(one.id)
        const wrong = [
          ...(is === undefined ? [] : [tOf('clashes.is_moved', is)]),
          ...(allowed ? [] : because.map(reason => reason.detail)),
          ...(faults.get(one.id) ?? []).map(({ field, message }) => `${nameOf(field)} ${message}`),
        ]
        return (
          <li key={one.id}>
            <span className="stack tight grow">
              <span className="row tight-row">
                <SeverityBadge severity={one.severity} />
                <span>{pairOf(one)}</span>
              </span>
              {wrong.map(message => (
                <span key={message} className="fault">
                  {message}
                </span>
              ))}
            </span>
            <Button
              look="quiet"
              aria-label={t('clashes.leave_out_one', { pair: pairOf(one) })}
              onClick={() => onTake(episodes.filter(other => other !== one))}
            >
              {t('clashes.leave_out')}
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

/** What a field is called in front of its fault. */
function nameOf(field: string): string {
  if (field === 'due_at') return t('clashes.fault.due')
  if (field === 'controls') return t('clashes.fault.controls')
  if (field === 'reason') return t('clashes.fault.reason')
  return field.startsWith('owner') ? t('clashes.fault.owner') : t('clashes.fault.other')
}

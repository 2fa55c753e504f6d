import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { toast, toastFault } from '../../../../base/kit/note.tsx'
import { usePeople } from '../../../../base/people.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { decide, withdraw } from '../data.ts'
import { contractorOwner } from '../decisions.ts'
import { t, tOf } from '../says.ts'
import type { Episode } from '../types.ts'
import { useOwner } from './resolving.tsx'

type Given = { episode: Episode; stance: NonNullable<Episode['stance']> }

/** The active decision about a clash: what, who resolves it, why, who decided; and withdrawing it. */
export function Stance({ episode, stance }: Given) {
  const { zone } = useHere()
  const { kind, reason, controls, set_by, set_at } = stance
  const name = usePeople([set_by])
  const owner = useOwner(stance)
  return (
    <div className="stack tight small clash-stance">
      <p className="strong">{kind === 'resolving' ? t('clashes.resolved_by', { name: owner }) : tOf('clashes.is', kind)}</p>
      {reason !== '' && <p className="pre">{reason}</p>}
      {controls !== '' && <p className="pre">{t('clashes.with_controls', { controls })}</p>}
      <p className="soft">{t('clashes.decided', { name: name(set_by) ?? t('common.unknown_person'), time: momentOf(set_at, zone) })}</p>
      <Withdraw episode={episode} stance={stance} />
    </div>
  )
}

/** Withdraws a decision. People can make their own again at once, but not that of someone else in their name: then the button has to be held. */
function Withdraw({ episode, stance }: Given) {
  const { site_id, me, canChange } = useHere()
  const { busy, send } = useSend()
  const own = stance.set_by === me.id
  if (!canChange('clash_stance') || !(own || canChange('clash_stance_any'))) return null
  const again = async () => {
    const { kind, reason, controls, owner_user_id, owner_contractor_id, due_at } = stance
    const owner = owner_contractor_id === null ? (owner_user_id ?? me.id) : contractorOwner(owner_contractor_id)
    // Withdrawing it made the next version. If anyone has changed something since, this isn't what they would decide about.
    const withdrawn = { ...episode, version: episode.version + 1 }
    await decide(site_id, [withdrawn], kind, { reason, controls, owner, due_at }).then(() => toast(t('clashes.decided_again')), toastFault)
  }
  const go = () =>
    send(() =>
      withdraw(site_id, [episode.id]).then(
        () => toast(t('clashes.withdrawn'), own ? { undo: { label: t('clashes.undo'), run: () => void again() } } : {}),
        toastFault,
      ),
    )
  return (
    <div className="row">
      {own ? (
        <Button look="quiet" disabled={busy} onClick={() => void go()}>
          {t('clashes.withdraw')}
        </Button>
      ) : (
        <HoldButton look="quiet" disabled={busy} onHeld={() => void go()}>
          {t('clashes.withdraw')}
        </HoldButton>
      )}
    </div>
  )
}

import { useState } from 'react'
import { limits } from '../../../../../contract/limits.gen.ts'
import { capitalized } from '../../../../../shared/text.ts'
import { asFault } from '../../../../base/fault.ts'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice, MomentField, TextArea } from '../../../../base/kit/field.tsx'
import { FaultNote, Note, toast, toastFault } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useContractors, useMembers } from '../../../../base/lists.ts'
import { shapeOf } from '../../../../base/records/form-fields.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { decide, withdraw } from '../data.ts'
import { asNow, contractorOwner, type Decision, faultsOf, flagFor, type Kind, latestDue, type Moved, movedSince } from '../decisions.ts'
import { t } from '../says.ts'
import { pairOf } from '../sides.ts'
import type { Episode } from '../types.ts'
import { Decided } from './decided.tsx'

const TITLES = { accepted: 'clashes.accept.title', not_a_clash: 'clashes.not_a_clash.title', resolving: 'clashes.resolve.title' } as const
const TITLES_N = {
  accepted: 'clashes.accept.title_n',
  not_a_clash: 'clashes.not_a_clash.title_n',
  resolving: 'clashes.resolve.title_n',
} as const
const BUTTONS = { accepted: 'clashes.accept', not_a_clash: 'clashes.not_a_clash', resolving: 'clashes.resolve' } as const

type Given = {
  /** The clashes as they were shown when the decision was begun. */
  episodes: readonly Episode[]
  kind: Kind
  /** The list as it is now. */
  now: readonly Episode[]
  /** Goes on with other clashes, or with the same ones as they are now. */
  onTake(episodes: readonly Episode[]): void
  onDone(): void
  onClose(): void
}

/** A decision about one clash, or about several at once: all are decided, or none is. What was typed stays until it is accepted. */
export function DecisionWindow({ episodes, kind, now, onTake, onDone, onClose }: Given) {
  const { site_id, zone, me } = useHere()
  const members = useMembers(site_id)
  const contractors = useContractors(site_id, 'active')
  const { busy, fault, send, clear } = useSend()
  const [only] = episodes.length === 1 ? episodes : []
  const start: Decision = { reason: '', controls: '', owner: me.id, due_at: null }
  // What was typed stays when clashes are left out, even if one alone remains.
  const [name] = useState(only === undefined ? `clashes ${kind}` : `clash ${only.id} ${kind}`)
  const form = useKeptForm<Decision>(name, start)
  const { values, change } = form
  const red = episodes.some(one => one.severity === 'red')
  const refused = asFault(fault)
  const faults = faultsOf(
    refused.fields,
    episodes.map(one => one.id),
  )
  // A refusal of the service whose fields are all shown in place needs no second list.
  const inPlace = faults.items.size > 0 || [...faults.fields.keys()].some(path => path in FIELDS)
  // While it is being saved, the list is already read again.
  const moved = busy ? STILL : movedSince(episodes, now)
  const barred = episodes.filter(one => !flagFor(one, kind).allowed)
  const latest = latestDue(episodes, Date.now())
  const take = (next: readonly Episode[]) => {
    clear()
    onTake(next)
  }
  const stopped = moved.size > 0 || barred.length > 0 || episodes.length === 0
  const submit = async () => {
    if (stopped || !(await send(() => decide(site_id, episodes, kind, values)))) return
    form.sent()
    const fresh = episodes.every(one => one.stance === null)
    const undo = () =>
      void withdraw(
        site_id,
        episodes.map(one => one.id),
      ).then(() => toast(t('clashes.withdrawn')), toastFault)
    toast(
      t(kind === 'resolving' ? 'clashes.given' : 'clashes.settled', { n: episodes.length }),
      // What was decided before can’t be brought back, so nothing is offered that looks as if it could.
      fresh ? { undo: { label: t('clashes.undo'), run: undo } } : {},
    )
    onDone()
  }
  const field = (name: 'reason' | 'controls') => ({
    ...shapeOf(limits.SetClashStance, name),
    value: values[name],
    at: name,
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  })
  return (
    <Window
      title={only === undefined ? t(TITLES_N[kind], { n: episodes.length }) : t(TITLES[kind])}
      onClose={onClose}
      onSubmit={() => void submit()}
      faults={faults.fields}
    >
      <Restored form={form} />
      {only !== undefined && <p className="strong">{capitalized(pairOf(only))}</p>}
      {moved.size > 0 && (
        <Note kind="warn" title={t('clashes.moved', { n: moved.size })}>
          {asNow(episodes, now).length > 0 && <Button onClick={() => take(asNow(episodes, now))}>{t('clashes.take_now')}</Button>}
        </Note>
      )}
      {barred.length > 0 && only === undefined && (
        <Note kind="warn" title={t('clashes.barred', { n: barred.length })}>
          {barred.length < episodes.length && (
            <Button onClick={() => take(episodes.filter(one => !barred.includes(one)))}>{t('clashes.leave_out_barred')}</Button>
          )}
        </Note>
      )}
      {episodes.length > 1 && <Decided episodes={episodes} kind={kind} moved={moved} faults={faults.items} onTake={take} />}
      {kind === 'resolving' && (
        <>
          <Choice
            label={t('clashes.owner')}
            value={values.owner}
            options={[]}
            groups={[
              { label: t('clashes.people'), options: (members.data ?? []).map(one => ({ value: one.user_id, label: one.name })) },
              {
                label: t('clashes.contractors'),
                options: (contractors.data ?? []).map(one => ({ value: contractorOwner(one.id), label: one.name })),
              },
            ]}
            fault={faults.fields.get('owner_contractor_id')}
            at="owner_user_id"
            onChange={event => change({ owner: event.target.value })}
          />
          <MomentField
            label={t('clashes.due')}
            hint={latest === null ? undefined : t('clashes.latest', { time: momentOf(latest, zone), zone })}
            zone={zone}
            value={values.due_at}
            at="due_at"
            onMoment={due_at => change({ due_at })}
            required
          />
        </>
      )}
      <TextArea label={t(`clashes.reason.${kind}`)} {...field('reason')} optional={kind === 'resolving'} required={kind !== 'resolving'} />
      {kind === 'accepted' && <TextArea label={t('clashes.controls')} {...field('controls')} optional={!red} required={red} />}
      {kind !== 'resolving' && <p className="soft small">{t('clashes.covers')}</p>}
      {fault !== null && inPlace && <Note kind="stop" title={t('clashes.not_saved', { n: episodes.length })} />}
      {fault !== null && !inPlace && <FaultNote error={fault} />}
      <div className="row spread">
        <Button look="primary" type="submit" disabled={busy} aria-disabled={stopped || undefined}>
          {t(BUTTONS[kind])}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </Window>
  )
}

const STILL: ReadonlyMap<string, Moved> = new Map()
const FIELDS = { reason: true, controls: true, owner_user_id: true, owner_contractor_id: true, due_at: true }

import './clashes.css'
import { useEffect, useState } from 'react'
import { Go, usePlace } from '../../../base/go.tsx'
import { useKeys } from '../../../base/keys.ts'
import { FlagButton } from '../../../base/kit/button.tsx'
import { Choice, MomentField, TextArea } from '../../../base/kit/field.tsx'
import { Note } from '../../../base/kit/note.tsx'
import { useMembers } from '../../../base/lists.ts'
import { paths } from '../../../base/paths.ts'
import { RecordForm } from '../../../base/records/form.tsx'
import { Listing } from '../../../base/records/listing.tsx'
import { useHere } from '../../../base/site.tsx'
import { momentOf } from '../../../base/time.ts'
import { apart, SeverityBadge } from '../../permits/permits/door.tsx'
import { DAYS, type Decision, decide, type Kind, useUnplaced, useUnresolved } from './data.ts'
import { Stopped } from './parts/stopped.tsx'
import { t, tOf } from './says.ts'
import { called, gives, type Side } from './sides.ts'
import type { Episode } from './types.ts'

type Deciding = { episode: Episode; kind: Kind }

/** The clashes that someone has to settle: each with what it means for the work, and with what can be decided. */
export default function Clashes() {
  const here = useHere()
  const [place] = usePlace()
  const [deciding, setDeciding] = useState<Deciding | null>(null)
  const found = useUnresolved(here.site_id)
  const unplaced = useUnplaced(here.site_id)
  useEffect(() => {
    document.title = `${t('clashes.title')} · ${here.name}`
  }, [here.name])
  // A task or a notification leads to one of them: it comes first.
  const isMeant = (one: Episode) => Number(one.id === place.episode || one.blocker_ids.some(id => id === place.blocker))
  const rows = (found.data ?? []).filter(one => place.red !== '1' || one.severity === 'red').toSorted((a, b) => isMeant(b) - isMeant(a))
  const begin = (episode: Episode | undefined, kind: Kind) => {
    if (episode === undefined) return
    const flag = kind === 'resolving' ? episode.permissions.resolve : episode.permissions.settle
    if (flag.allowed) setDeciding({ episode, kind })
  }
  const focused = () => {
    const id = document.activeElement?.closest('[data-row]')?.querySelector<HTMLElement>('[data-episode]')?.dataset.episode
    return rows.find(one => one.id === id)
  }
  useKeys({
    a: () => begin(focused(), 'accepted'),
    n: () => begin(focused(), 'not_a_clash'),
    r: () => begin(focused(), 'resolving'),
  })
  return (
    <div className="stack">
      <h1>{t('clashes.title')}</h1>
      <p className="soft">{t('clashes.says', { days: DAYS })}</p>
      {unplaced.length > 0 && (
        <Note kind="warn" title={t('clashes.unplaced', { n: unplaced.length })}>
          <ul className="row">
            {unplaced.map(one => (
              <li key={one.permit_id}>
                <Go to={paths.permit(here.site_id, one.permit_id)} className="mono">
                  {one.permit_number ?? t('permit.draft_number')}
                </Go>
              </li>
            ))}
          </ul>
        </Note>
      )}
      <Listing
        label={t('clashes.title')}
        query={found}
        rows={rows}
        idOf={one => one.id}
        nameOf={one => one.rule_name}
        row={one => <Row episode={one} onDecide={kind => begin(one, kind)} />}
        flush
        search={{ label: t('clashes.find'), texts: one => [one.rule_name, one.a.label, one.b.label] }}
        filters={[{ name: 'red', kind: 'tick', label: t('clashes.red') }]}
        count={n => t('clashes.count', { n })}
        actions={
          <Go className="btn quiet" to={paths.clashRules(here.site_id)}>
            {t('clashes.rules')}
          </Go>
        }
        empty={{ says: t('clashes.empty', { days: DAYS }) }}
      />
      {rows.length > 0 && <p className="soft small wide-only">{t('clashes.keys')}</p>}
      {deciding !== null && <DecisionWindow {...deciding} onClose={() => setDeciding(null)} />}
    </div>
  )
}

/** A side: its name, which leads to it if the reader can see it. */
function SideLink({ side }: { side: Side }) {
  const { site_id } = useHere()
  if (side.id === null) return <span>{called(side)}</span>
  const to = side.kind === 'permit' ? paths.permit(site_id, side.id) : paths.map(site_id, { chosen: side.id })
  return (
    <span>
      <Go to={to}>{called(side)}</Go>
      {side.types.length > 0 && <span className="soft small"> {side.types.join(', ')}</span>}
    </span>
  )
}

/** When a clash is: now, or from when. */
function timeOf({ next_at }: Episode, zone: string): string | null {
  if (next_at === null) return null
  return Date.parse(next_at) <= Date.now() ? t('clashes.now') : t('clashes.from', { time: momentOf(next_at, zone) })
}

/** When the map shows a clash that isn't there yet; undefined for one that is there now. */
const aheadOf = ({ next_at }: Episode): string | undefined => (next_at !== null && Date.parse(next_at) > Date.now() ? next_at : undefined)

function Row({ episode, onDecide }: { episode: Episode; onDecide(kind: Kind): void }) {
  const { zone, site_id, can } = useHere()
  const { severity, a, b, consequence, stance, in_hand, overdue, permissions, clash_count, least_distance_m, rule_name } = episode
  const { effect, affected, instruction } = consequence
  const due = stance?.due_at ?? null
  return (
    <article className={`clash-row ${severity === 'red' ? 'stop' : 'warn'}`} data-episode={episode.id}>
      <div className="row tight-row">
        <SeverityBadge severity={severity} />
        {due !== null && in_hand && <span className="badge soft">{t('clashes.in_hand', { time: momentOf(due, zone) })}</span>}
        {due !== null && overdue && <span className="badge stop">{t('clashes.overdue', { time: momentOf(due, zone) })}</span>}
        <span className="soft small">{rule_name}</span>
      </div>
      <h2 className="row tight-row">
        <SideLink side={a} />
        <span className="soft" aria-hidden>
          ↔
        </span>
        <SideLink side={b} />
      </h2>
      <p className="small">
        {[
          timeOf(episode, zone),
          t('clashes.times', { n: clash_count }),
          apart(least_distance_m, a.hidden || b.hidden),
          effect === 'none' ? tOf('clashes.effect', effect) : `${tOf('clashes.effect', effect)}, ${gives(affected, a, b)}`,
        ]
          .filter(part => part !== null)
          .join(' · ')}
      </p>
      {instruction !== '' && <p>{instruction}</p>}
      {stance !== null && stance.reason !== '' && <p className="small soft">{stance.reason}</p>}
      <div className="row">
        <FlagButton flag={permissions.settle} explained={false} onClick={() => onDecide('accepted')}>
          {t('clashes.accept')}
        </FlagButton>
        <FlagButton flag={permissions.settle} explained={false} onClick={() => onDecide('not_a_clash')}>
          {t('clashes.not_a_clash')}
        </FlagButton>
        <FlagButton flag={permissions.resolve} explained={false} onClick={() => onDecide('resolving')}>
          {t('clashes.resolve')}
        </FlagButton>
        {can('map_view') && (
          <Go className="btn quiet" to={paths.map(site_id, { chosen: episode.id, at: aheadOf(episode) })}>
            {t('map.show')}
          </Go>
        )}
      </div>
      <Stopped episode={episode} />
    </article>
  )
}

const TITLES = { accepted: 'clashes.accept.title', not_a_clash: 'clashes.not_a_clash.title', resolving: 'clashes.resolve.title' } as const
const BUTTONS = { accepted: 'clashes.accept', not_a_clash: 'clashes.not_a_clash', resolving: 'clashes.resolve' } as const

/** The decision about one clash. */
function DecisionWindow({ episode, kind, onClose }: Deciding & { onClose(): void }) {
  const { site_id, zone, me } = useHere()
  const members = useMembers(site_id)
  const start: Decision = { reason: '', controls: '', owner: me.id, due_at: null }
  return (
    <RecordForm
      title={t(TITLES[kind])}
      name={`clash ${episode.id} ${kind}`}
      body="SetClashStance"
      start={start}
      save={given => decide(site_id, episode, kind, given)}
      said={t(kind === 'resolving' ? 'clashes.given' : 'clashes.settled')}
      button={t(BUTTONS[kind])}
      onClose={onClose}
    >
      {({ field, values, change }) => (
        <>
          <p className="strong">{t('clashes.between', { a: called(episode.a), b: called(episode.b) })}</p>
          {kind === 'resolving' && (
            <>
              <Choice
                label={t('clashes.owner')}
                value={values.owner}
                options={(members.data ?? []).map(one => ({ value: one.user_id, label: one.name }))}
                onChange={event => change({ owner: event.target.value })}
              />
              <MomentField label={t('clashes.due')} zone={zone} value={values.due_at} onMoment={due_at => change({ due_at })} required />
            </>
          )}
          <TextArea
            label={t(`clashes.reason.${kind}`)}
            {...field('reason')}
            optional={kind === 'resolving'}
            required={kind !== 'resolving'}
          />
          {kind === 'accepted' && (
            <TextArea
              label={t('clashes.controls')}
              {...field('controls')}
              optional={episode.severity !== 'red'}
              required={episode.severity === 'red'}
            />
          )}
          {kind !== 'resolving' && <p className="soft small">{t('clashes.covers')}</p>}
        </>
      )}
    </RecordForm>
  )
}

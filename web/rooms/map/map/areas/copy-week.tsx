// Copies a week of workers, plant and active areas: first it says what would come along and what would not, then it copies.
import { useState } from 'react'
import { dateOn } from '../../../../../shared/time.ts'
import { isBusy } from '../../../../base/again.ts'
import { asFault } from '../../../../base/fault.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { TextField, Tick } from '../../../../base/kit/field.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { ContractorChoice } from '../parts/form-parts.tsx'
import { COPIED, type CopiedKind, type Copies, daysFit, namesIn, weekFor } from './copying.ts'
import { copyKind, namesOn, rehearsed, undoCopies } from './copying-data.ts'
import { t } from './says.ts'

/** `refused`: why nothing of this kind can be copied, for example because a machine is still on the site; the other kinds still can. */
type Found = { kind: CopiedKind; copies: Copies; names: Map<string, string>; refused: string | null }

type Copied = ReadonlyMap<CopiedKind, readonly string[]>

const MOST = 6

/** On a phone, what was found would be below the edge of the screen. */
const scrollTo = (found: HTMLDivElement | null) => found?.scrollIntoView({ block: 'start' })

const countOf = (made: Copied): number => [...made.values()].reduce((sum, ids) => sum + ids.length, 0)

/** What is copied of a kind, and what is left out. */
function KindPreview({ kind, copies, names, refused }: Found) {
  if (refused !== null)
    return (
      <Note kind="warn" title={t('copy.refused', { what: t(`copy.${kind}`) })}>
        {refused}
      </Note>
    )
  if (copies === null) return <p className="small soft">{t('copy.nothing', { what: t(`copy.${kind}`) })}</p>
  const { created, skipped_duplicates, permits_dropped, warnings, fill_members = 0 } = copies
  const rows = namesIn(created, names)
  return (
    <section className="stack tight" aria-label={t(`copy.${kind}`)}>
      <h3>{t('copy.count', { what: t(`copy.${kind}`), n: created.length })}</h3>
      <ul className="small">
        {rows.slice(0, MOST).map(({ name, n }) => (
          <li key={name}>
            <bdi>{name}</bdi>
            {n > 1 && ` × ${n}`}
          </li>
        ))}
        {rows.length > MOST && <li>{t('fill.left_out_more', { n: rows.length - MOST })}</li>}
      </ul>
      {skipped_duplicates.length > 0 && <p className="small">{t('copy.duplicates', { n: skipped_duplicates.length })}</p>}
      {fill_members > 0 && <p className="small">{t('copy.fills', { n: fill_members })}</p>}
      {permits_dropped.length > 0 && (
        <p className="small">
          {t('copy.permits', { permits: permits_dropped.map(one => one.permit_number ?? t('permit.untitled')).join(', ') })}
        </p>
      )}
      {warnings.length > 0 && (
        <p className="small">{t('copy.clocks', { dates: [...new Set(warnings.map(one => one.date))].join(', ') })}</p>
      )}
    </section>
  )
}

/** Removes what was copied, and offers to try again if the service couldn’t be reached: repeating it changes nothing. */
function takeBack(site_id: string, made: Copied): void {
  const n = countOf(made)
  undoCopies(site_id, made).then(
    () => toast(t('copy.undone', { n })),
    error => {
      const fault = asFault(error)
      const retry = { label: t('common.retry'), run: () => takeBack(site_id, made) }
      toast(fault.message, { stop: true, ...(fault.unreached || isBusy(fault) ? { undo: retry } : {}) })
    },
  )
}

/** Chooses the week and what is copied, shows it, and copies it. */
export function CopyWeek({ now, onDone }: { now: number; onDone(): void }) {
  const { site_id, zone, canChange } = useHere()
  const [days, setDays] = useState(() => weekFor(dateOn(zone, new Date(now).toISOString())))
  const [kinds, setKinds] = useState<readonly CopiedKind[]>(COPIED)
  const [contractor_id, setContractor] = useState('')
  const [found, setFound] = useState<readonly Found[] | null>(null)
  const { busy, fault, send } = useSend()
  const body = { site_id, ...days, ...(contractor_id === '' ? {} : { contractor_id }) }
  const change = (work: () => void) => {
    setFound(null)
    work()
  }
  const check = () =>
    send(async () => {
      const all: Found[] = []
      for (const kind of kinds)
        all.push({ kind, ...(await rehearsed(kind, { ...body, dry_run: true })), names: await namesOn(kind, site_id, zone, days) })
      setFound(all)
    })
  const total = (found ?? []).reduce((sum, { copies }) => sum + (copies?.created.length ?? 0), 0)
  const copy = async () => {
    const made = new Map<CopiedKind, readonly string[]>()
    const done = await send(async () => {
      for (const { kind, copies } of found ?? []) {
        if (copies === null || copies.created.length === 0) continue
        const ids = (await copyKind(kind, body))?.created.flatMap(one => one.id ?? []) ?? []
        if (ids.length > 0) made.set(kind, ids)
      }
    })
    const n = countOf(made)
    // What was copied before a refusal can be undone as well; what is missing can be copied afterwards, because copies that are there are left out.
    if (n > 0) toast(t(done ? 'copy.done' : 'copy.partly', { n }), { undo: { label: t('draw.undo'), run: () => takeBack(site_id, made) } })
    else if (done) toast(t('copy.done', { n }))
    if (done) onDone()
    else setFound(null)
  }
  return (
    <Window side title={t('copy.title')} onClose={onDone} onSubmit={() => void (found === null ? check() : copy())}>
      <p className="small">{t('copy.says')}</p>
      <div className="pair">
        {(['from_date', 'to_date'] as const).map(name => (
          <TextField
            key={name}
            label={t(`copy.${name}`)}
            type="date"
            className="mono"
            required
            value={days[name]}
            onChange={event => change(() => setDays({ ...days, [name]: event.target.value }))}
          />
        ))}
      </div>
      <TextField
        label={t('copy.target_date')}
        type="date"
        className="mono"
        required
        value={days.target_date}
        fault={daysFit(days) ? undefined : t('copy.days_wrong')}
        onChange={event => change(() => setDays({ ...days, target_date: event.target.value }))}
      />
      <fieldset className="fieldset stack tight">
        <legend>{t('copy.what')}</legend>
        {COPIED.map(kind => (
          <Tick
            key={kind}
            label={t(`copy.${kind}`)}
            checked={kinds.includes(kind)}
            onChange={event => change(() => setKinds(event.target.checked ? [...kinds, kind] : kinds.filter(one => one !== kind)))}
          />
        ))}
      </fieldset>
      {canChange('map_entity_edit_any') && (
        <ContractorChoice
          site_id={site_id}
          value={contractor_id}
          empty={t('copy.all_contractors')}
          onValue={id => change(() => setContractor(id))}
        />
      )}
      {found !== null && (
        <div role="status" className="stack" ref={scrollTo}>
          {found.map(one => (
            <KindPreview key={one.kind} {...one} />
          ))}
          {total === 0 && <Note kind="warn">{t('copy.none')}</Note>}
        </div>
      )}
      {fault !== null && <FaultNote error={fault} />}
      <div className="row spread">
        {found === null ? (
          <Button look="primary" type="submit" disabled={!daysFit(days) || kinds.length === 0} aria-busy={busy}>
            {t('copy.check')}
          </Button>
        ) : (
          <Button look="primary" type="submit" disabled={total === 0} aria-busy={busy}>
            {t('copy.make', { n: total })}
          </Button>
        )}
        <Button onClick={onDone}>{t('common.cancel')}</Button>
      </div>
    </Window>
  )
}

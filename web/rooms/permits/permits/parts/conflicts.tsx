// What conflicts with a permit: who, why, how far away and when (`conflict-and-planning.md` §4.6).
import { type ReactNode, useEffect } from 'react'
import type { Schemas } from '../../../../base/api.ts'
import { Go } from '../../../../base/go.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import { queries } from '../../../../base/query.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf, windowOf } from '../../../../base/time.ts'
import { numberOf, t, tOf } from '../../../../base/words.ts'
import { useClashBadges } from '../data.ts'
import type { Permit } from '../steps.ts'
import { TypeChip } from './type-chip.tsx'

/** Another permit that conflicts with a permit. */
export type Conflict = Schemas['PermitConflict']

/** Returns how far apart two things are in words; a distance to something hidden is rounded up. Nobody on a site needs more than decimetres. */
export function apart(distance_m: number, hidden: boolean): string {
  const metres = Math.round(distance_m * 10) / 10
  if (metres === 0) return t('conflict.same_place')
  return t(hidden ? 'conflict.near' : 'conflict.away', { metres: numberOf(metres) })
}

/** How bad a conflict is: in words, with a sign, and in colour. */
export const SeverityBadge = ({ severity }: { severity: Conflict['severity'] }) => (
  <span className={`badge ${severity === 'red' ? 'stop' : 'warn'}`}>
    <Glyph name={severity === 'red' ? 'stop' : 'warning'} size={14} />
    {tOf('severity', severity)}
  </span>
)

/** Returns the time of a conflict in words. */
function timeOf({ from_at, to_at }: Conflict, zone: string): string | null {
  if (from_at === null) return null
  return to_at === null ? t('conflict.open', { from: momentOf(from_at, zone) }) : windowOf(from_at, to_at, zone)
}

/** One conflict: its severity in words and colour, the other permit, why, how far away and when. */
function ConflictLine({ conflict, children }: { conflict: Conflict; children?: ReactNode }) {
  const { site_id, zone } = useHere()
  const { permit, severity, categories, distance_m, level_gap, hidden, reasons } = conflict
  const time = timeOf(conflict, zone)
  const [why] = reasons
  return (
    <li className="stack tight">
      <span className="row tight-row">
        <SeverityBadge severity={severity} />
        {permit === null ? (
          <span>{t('conflict.hidden')}</span>
        ) : (
          <Go to={paths.permit(site_id, permit.id)}>
            <span className="mono">{permit.permit_number ?? t('permit.draft_number')}</span> {permit.title ?? t('permit.untitled')}
          </Go>
        )}
        {categories.map(code => (
          <TypeChip key={code} code={code} />
        ))}
      </span>
      <span className="small">
        {[
          why?.own_type != null && why.other_type !== null ? t('conflict.why', { own: why.own_type, other: why.other_type }) : null,
          apart(distance_m, hidden),
          level_gap === null || level_gap === 0 ? null : t('conflict.levels', { n: level_gap }),
          time,
        ]
          .filter(part => part !== null)
          .join(' · ')}
      </span>
      {permit !== null && (
        <span className="soft small">
          {permit.contractor?.name ?? t('permit.no_contractor')} · {tOf('status', permit.status)}
        </span>
      )}
      {children}
    </li>
  )
}

type ListGiven = {
  conflicts: readonly Conflict[]
  /** What is below a conflict; `name` tells it from the others. */
  below?(conflict: Conflict, name: string): ReactNode
}

/** A list of conflicts. */
export const ConflictList = ({ conflicts, below }: ListGiven) => (
  <ul className="stack">
    {conflicts.map((one, i) => {
      const name = one.permit_id ?? `hidden-${i}`
      return (
        <ConflictLine key={name} conflict={one}>
          {below?.(one, name)}
        </ConflictLine>
      )
    })}
  </ul>
)

/** Says that conflicts aren’t known, and why; nothing if they are. */
export function Unchecked({ checked }: { checked: Schemas['Permit']['conflicts_checked'] | undefined }) {
  if (checked === 'no_place') return <Note kind="warn" title={t('conflict.no_place')} />
  return checked === 'no_rule' ? <Note title={t('conflict.no_rule')} /> : null
}

/**
 * Reads the open permit again when its badge says that other permits conflict with it by now: an event about another permit concerns this page, too, and nobody should decide
 * on what was true a minute ago.
 */
function useFreshConflicts({ id, site_id, conflicts }: Permit): void {
  const badge = useClashBadges(site_id).get(id)
  const red = conflicts.filter(one => one.severity === 'red').length
  const differs = badge !== undefined && (badge.red !== red || badge.amber !== conflicts.length - red)
  useEffect(() => {
    if (differs) void queries.invalidateQueries({ queryKey: ['permit', id] })
  }, [differs, id])
}

/** The conflicts of a permit, or why they aren’t known. Of a permit in review it is also said that there are none. */
export function Conflicts({ permit, below }: { permit: Permit; below?: ListGiven['below'] }) {
  const { conflicts, conflicts_checked: checked } = permit
  useFreshConflicts(permit)
  // A permit that an older version of the app stored on this device doesn’t have it.
  if (checked === undefined || checked === 'over') return null
  const decides = permit.permissions.endorse.allowed || permit.permissions.approve.allowed
  if (checked === 'checked' && conflicts.length === 0 && !decides) return null
  return (
    <section className="panel stack" aria-label={t('permit.conflicts')}>
      <header>
        <h2>{t('permit.conflicts')}</h2>
      </header>
      <Unchecked checked={checked} />
      {checked === 'checked' && conflicts.length === 0 && <p className="soft">{t('conflict.none')}</p>}
      {conflicts.length > 0 && <ConflictList conflicts={conflicts} {...(below === undefined ? {} : { below })} />}
    </section>
  )
}

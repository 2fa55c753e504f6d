// Two permits that conflict, side by side: where both are, and what, when and who.
import './compared.css'
import { useId, useMemo } from 'react'
import { Go } from '../../../../base/go.tsx'
import { Wait } from '../../../../base/kit/note.tsx'
import { edgesOf, useNow } from '../../../../base/now.ts'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { addWords } from '../../../../base/words.ts'
import { PlaceInset } from '../../../map/map/door.tsx'
import { comparedTexts } from '../compared-texts.ts'
import { usePermit } from '../data.ts'
import { standingOf } from '../standing.ts'
import type { Permit } from '../steps.ts'
import { Facts } from './body.tsx'
import { apart, type Conflict } from './conflicts.tsx'
import { StatusMark } from './status.tsx'
import { TypeChip } from './type-chip.tsx'

const { t } = addWords(comparedTexts)

type Given = { permit: Permit; conflict: Conflict }

/** A permit and one that conflicts with it. */
export default function Compared({ permit, conflict }: Given) {
  return conflict.permit_id === null ? (
    <Hidden {...{ permit, conflict }} />
  ) : (
    <Both {...{ permit, conflict }} other_id={conflict.permit_id} />
  )
}

/** Both permits, once the other one has been read. */
function Both({ permit, conflict, other_id }: Given & { other_id: string }) {
  const { can } = useHere()
  const other = usePermit(other_id)
  const { nearest, severity } = conflict
  const between = useMemo(() => (nearest === null ? null : { ...nearest, severity }), [nearest, severity])
  const others = useMemo(() => (other.data === undefined ? [] : [other.data]), [other.data])
  const placed = permit.place !== null || other.data?.place != null
  return (
    <div className="compared">
      {other.data !== undefined && placed && can('map_view') && (
        <div className="compared-map">
          <PlaceInset {...{ permit, others, between }} label={t('compared.map')} />
        </div>
      )}
      <One letter="A" title={t('compared.own')} permit={permit} />
      {other.data === undefined ? (
        <Wait query={other} rows={4} />
      ) : (
        <One letter="B" title={t('compared.other')} permit={other.data} linked />
      )}
    </div>
  )
}

/** A permit, and what can be said about one that the reader can't see. */
function Hidden({ permit, conflict }: Given) {
  const { can } = useHere()
  const id = useId()
  return (
    <div className="compared">
      {permit.place !== null && can('map_view') && (
        <div className="compared-map">
          <PlaceInset permit={permit} others={NOBODY} between={null} label={t('compared.map')} />
        </div>
      )}
      <One letter="A" title={t('compared.own')} permit={permit} />
      <section className="compared-one stack tight" aria-labelledby={id}>
        <h3 id={id}>{t('compared.other')}</h3>
        <p>{t('conflict.hidden')}</p>
        <p className="row tight-row">
          {conflict.categories.map(code => (
            <TypeChip key={code} code={code} />
          ))}
          <span className="small">{apart(conflict.distance_m, true)}</span>
        </p>
        <p className="soft small">{t('compared.hidden')}</p>
      </section>
    </div>
  )
}
const NOBODY: readonly Permit[] = []

/** One of the two: what, state, types, when, where and who. */
function One({ letter, title, permit, linked = false }: { letter: string; title: string; permit: Permit; linked?: boolean }) {
  const { site_id } = useHere()
  const now = useNow(
    15_000,
    useMemo(() => edgesOf([permit]), [permit]),
  )
  const id = useId()
  const name = permit.title ?? t('permit.untitled')
  return (
    <section className="compared-one stack tight" aria-labelledby={id}>
      <h3 id={id} className="row tight-row">
        <span className="compared-letter" aria-hidden>
          {letter}
        </span>
        {title}
        <span className="mono soft">{permit.permit_number ?? t('permit.draft_number')}</span>
      </h3>
      <p className="row tight-row">
        <span className="strong">{linked ? <Go to={paths.permit(site_id, permit.id)}>{name}</Go> : name}</span>
        <StatusMark standing={standingOf(permit, now)} />
      </p>
      {permit.description !== null && permit.description !== '' && <p className="pre small">{permit.description}</p>}
      <Facts permit={permit} now={now} />
    </section>
  )
}

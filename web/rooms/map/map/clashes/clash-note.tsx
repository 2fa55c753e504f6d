// A clash in the panel of the map: one sentence, the way to its two sides, and what was decided.
import { Go } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { FaultNote, Skeleton } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { called, calledInFull, DAYS, type Episode, pairOf, Resolving, type Side, useEpisode } from '../../../conflicts/clashes/door.ts'
import { SeverityBadge, TypeChip } from '../../../permits/permits/door.tsx'
import { Around } from '../parts/floating.tsx'
import { lineOf, type MapClash, settlingOf } from './clashes.ts'
import { t, tOf } from './says.ts'
import { sentenceOf } from './sentence.ts'

/** A side: a permit leads to its page, everything else is selected on the map. */
function SideWay({ side, onChoose }: { side: Side; onChoose(id: string): void }) {
  const { site_id } = useHere()
  const { id } = side
  return (
    <span className="row tight-row">
      {id === null ? (
        <span>{called(side)}</span>
      ) : side.kind === 'permit' ? (
        <Go to={paths.permit(site_id, id)}>{calledInFull(side)}</Go>
      ) : (
        <Button look="quiet" onClick={() => onChoose(id)}>
          {called(side)}
        </Button>
      )}
      {!side.hidden && side.types.map(code => <TypeChip key={code} code={code} />)}
    </span>
  )
}

/** What was decided, and the way to the decision. */
function Settling({ episode, now }: { episode: Episode; now: number }) {
  const { site_id } = useHere()
  const settling = settlingOf(episode, now, DAYS)
  if (settling === 'over') return <p className="small soft">{t('clash.over')}</p>
  if (settling === 'settled')
    return <p className="small">{t('clash.settled', { kind: tOf('clash.settled', episode.stance?.kind ?? 'accepted') })}</p>
  if (settling === 'ahead') return <p className="small soft">{t('clash.later', { days: DAYS })}</p>
  return (
    <>
      {episode.stance?.kind === 'resolving' && <Resolving episode={episode} stance={episode.stance} />}
      <Go className="btn" to={paths.clashes(site_id, { episode: episode.id })}>
        {t('clash.settle')}
      </Go>
    </>
  )
}

type Given = { clash: MapClash; now: number; onChoose(id: string): void }

/** What people must know about a clash. */
export function ClashCard({ clash, now, onChoose }: Given) {
  const { site_id, zone } = useHere()
  const { data: episode, ...asked } = useEpisode(site_id, clash.episode_id)
  return (
    <div className="stack tight clash-card">
      <p className="row tight-row">
        <SeverityBadge severity={clash.severity} />
        <span className="soft small">{clash.rule_name}</span>
      </p>
      <p>{sentenceOf(clash, episode?.consequence ?? null, zone)}</p>
      {clash.reasons[0]?.sentence != null && <p className="soft small">{clash.reasons[0].sentence}</p>}
      {episode != null && episode.consequence.instruction !== '' && <p className="strong">{episode.consequence.instruction}</p>}
      <div className="stack tight small">
        <SideWay side={clash.a} onChoose={onChoose} />
        <SideWay side={clash.b} onChoose={onChoose} />
      </div>
      {lineOf(clash) === null && <p className="small soft">{t('clash.no_line')}</p>}
      {episode != null && <Settling episode={episode} now={now} />}
      {episode === undefined &&
        (asked.error === null ? <Skeleton rows={1} /> : <FaultNote error={asked.error} onRetry={() => void asked.refetch()} />)}
    </div>
  )
}

/** The panel of a selected clash. */
export const ClashNote = ({ onClose, ...given }: Given & { onClose(): void }) => (
  <Around label={pairOf(given.clash)} onClose={onClose}>
    <ClashCard {...given} />
  </Around>
)

import { useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Choices, MomentField, TextArea } from '../../../../base/kit/field.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { RecordForm } from '../../../../base/records/form.tsx'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { t } from '../says.ts'
import { calledInFull } from '../sides.ts'
import { declareStop, endStop, type SideName, type Stop, type Stopping, sidesToStop } from '../stopped.ts'
import type { Episode } from '../types.ts'

type Given = { episode: Episode }

/** Work that has stopped because of a clash: what is recorded, and what can be said about it. */
export function Stopped({ episode }: Given) {
  const [saying, setSaying] = useState<SideName[] | null>(null)
  const [ending, setEnding] = useState<Stop | null>(null)
  const sides = sidesToStop(episode)
  return (
    <>
      {episode.blockers.map(one => (
        <div key={one.id} className="row" data-blocker={one.id}>
          <StopLine stop={one} />
          {one.status === 'open' && one.permissions.can_resolve && <Button onClick={() => setEnding(one)}>{t('stopped.on.button')}</Button>}
        </div>
      ))}
      {sides.length > 0 && (
        <div className="row">
          <Button onClick={() => setSaying(sides)}>{t('stopped.button')}</Button>
        </div>
      )}
      {saying !== null && <StopWindow episode={episode} sides={saying} onClose={() => setSaying(null)} />}
      {ending !== null && <EndWindow stop={ending} onClose={() => setEnding(null)} />}
    </>
  )
}

/** What is recorded, in a sentence. */
function StopLine({ stop: { number, status, started_at, cleared_at, contractor_ids, description } }: { stop: Stop }) {
  const { site_id, zone } = useHere()
  const contractors = useContractors(site_id, 'all').data ?? []
  const whose = contractor_ids.flatMap(id => contractors.find(one => one.id === id)?.name ?? []).join(', ')
  const over = status === 'resolved' && cleared_at !== null
  return (
    <p className={`small ${over ? 'soft' : 'strong'}`}>
      {over
        ? t('stopped.resolved', { number, whose, time: momentOf(cleared_at, zone) })
        : t('stopped.open', { number, whose, time: momentOf(started_at, zone) })}
      {description !== '' && `: ${description}`}
    </p>
  )
}

function StopWindow({ episode, sides, onClose }: Given & { sides: readonly SideName[]; onClose(): void }) {
  const { site_id, zone } = useHere()
  const { affected } = episode.consequence
  const [first = 'a'] = sides
  const start: Stopping = { affected: sides.find(side => side === affected) ?? first, started_at: null, description: '' }
  return (
    <RecordForm
      title={t('stopped.button')}
      name={`stopped ${episode.id}`}
      body="DeclareBlockerOfClash"
      start={start}
      save={given => declareStop(site_id, episode.id, given)}
      said={t('stopped.said')}
      button={t('stopped.button')}
      onClose={onClose}
    >
      {({ field, values, change }) => (
        <>
          <p className="soft small">{t('stopped.recorded')}</p>
          <Choices
            label={t('stopped.whose')}
            options={sides.map(value => ({ value, label: calledInFull(episode[value]) }))}
            value={values.affected}
            onChoose={side => change({ affected: side })}
          />
          <TextArea label={t('stopped.what')} {...field('description')} optional />
          <MomentField
            label={t('stopped.since')}
            hint={t('stopped.since.hint', { zone })}
            zone={zone}
            value={values.started_at}
            at="started_at"
            optional
            onMoment={started_at => change({ started_at })}
          />
        </>
      )}
    </RecordForm>
  )
}

function EndWindow({ stop, onClose }: { stop: Stop; onClose(): void }) {
  const { site_id, zone } = useHere()
  const start: { how: string; cleared_at: string | null } = { how: '', cleared_at: null }
  return (
    <RecordForm
      title={t('stopped.on.button')}
      name={`resolve ${stop.id}`}
      body="ResolveBlocker"
      start={start}
      save={given => endStop(site_id, stop.id, given)}
      said={t('stopped.said')}
      button={t('stopped.on.button')}
      onClose={onClose}
    >
      {({ field, values, change }) => (
        <>
          <StopLine stop={stop} />
          <TextArea label={t('stopped.on.how')} {...field('how')} optional={false} required />
          <MomentField
            label={t('stopped.on.when')}
            hint={t('stopped.on.when.hint', { zone })}
            zone={zone}
            value={values.cleared_at}
            at="cleared_at"
            optional
            onMoment={cleared_at => change({ cleared_at })}
          />
        </>
      )}
    </RecordForm>
  )
}

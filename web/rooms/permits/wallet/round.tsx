import { useEffect, useState } from 'react'
import { useFrame } from '../../../base/frame.ts'
import { Go, useGo } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { Empty, FaultNote, PageWait, Skeleton } from '../../../base/kit/note.tsx'
import { useNow } from '../../../base/now.ts'
import { useOutbox } from '../../../base/outbox.ts'
import { paths } from '../../../base/paths.ts'
import { placeName } from '../../../base/place-name.ts'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import { PermitCard, WhyBack } from '../permits/door.tsx'
import { useRound, useRoundPermits } from './data.ts'
import { AsAtMark } from './parts/as-at.tsx'
import { CloseHere } from './parts/close-here.tsx'
import { Waiting } from './parts/waiting.tsx'
import './wallet.css'

/** Everything still to be closed out, as one round: stop by stop, with the next one open. */
export default function Round() {
  const here = useHere()
  const go = useGo()
  const now = useNow(60_000)
  const round = useRound(here.site_id)
  const frame = useFrame(here.site_id)
  const stops = round.data ?? []
  const ids = stops.flatMap(stop => stop.permits.map(one => one.id))
  const whole = useRoundPermits(here.site_id, ids)
  const [chosen, setChosen] = useState<string | null>(null)
  const { items } = useOutbox()
  useEffect(() => {
    document.title = `${t('round.title')} · ${here.name}`
  }, [here.name])
  if (round.data === undefined) return <PageWait title={t('round.title')} query={round} height={160} />
  const closed = new Set(items.flatMap(item => (item.step === 'close_out' && item.state === 'here' ? [item.subject.id] : [])))
  const mine = stops.flatMap(stop => stop.permits).filter(one => one.permissions.close_out.allowed && !closed.has(one.id))
  const open = mine.find(one => one.id === chosen) ?? mine[0]
  const placeOf = (building_id: string | null, level_index: number | null) =>
    placeName({ location: null, place: { building_id, level_index } }, frame.data) ?? t('round.elsewhere')
  return (
    <div className="field round">
      <header className="row">
        <Button look="quiet" square aria-label={t('wallet.back')} onClick={() => go(paths.wallet(here.site_id))}>
          <Glyph name="back" size={28} />
        </Button>
        <h1 className="grow">{t('round.title')}</h1>
      </header>
      <AsAtMark as_at={{ at: round.dataUpdatedAt, stale: round.error !== null }} zone={here.zone} />
      {stops.length === 0 ? (
        <Empty
          action={
            <Go className="btn primary" to={paths.wallet(here.site_id)}>
              {t('wallet.back')}
            </Go>
          }
        >
          {t('round.empty')}
        </Empty>
      ) : (
        <p className="strong" role="status">
          {t('round.left', { n: mine.length })}
        </p>
      )}
      {stops.map((stop, i) => (
        <section
          key={`${stop.building_id} ${stop.level_index}`}
          className="stack"
          aria-label={t('round.stop', { n: i + 1, place: placeOf(stop.building_id, stop.level_index) })}
        >
          <h2>{t('round.stop', { n: i + 1, place: placeOf(stop.building_id, stop.level_index) })}</h2>
          {stop.permits.map(card => {
            const permit = whole.data?.find(one => one.id === card.id)
            return (
              <PermitCard
                key={card.id}
                permit={card}
                zone={here.zone}
                now={now}
                link={<Go to={paths.permit(here.site_id, card.id)}>{card.title ?? t('permit.untitled')}</Go>}
              >
                <div className="acts stack">
                  <WhyBack permit={permit ?? card} />
                  {card.releases.length > 0 && (
                    <p className="small">
                      {t('round.releases', { numbers: card.releases.map(one => one.permit_number ?? '').join(', ') })}
                    </p>
                  )}
                  <Waiting permit_id={card.id} />
                  {card.id === open?.id &&
                    (permit === undefined ? (
                      whole.error === null ? (
                        <Skeleton rows={1} height={200} />
                      ) : (
                        <FaultNote error={whole.error} onRetry={() => void whole.refetch()} />
                      )
                    ) : (
                      <CloseHere key={permit.id} permit={permit} />
                    ))}
                  {card.id !== open?.id && card.permissions.close_out.allowed && !closed.has(card.id) && (
                    <Button wide onClick={() => setChosen(card.id)}>
                      {t('round.here')}
                    </Button>
                  )}
                  {!card.permissions.close_out.allowed && (
                    <p className="because">{card.permissions.close_out.because.map(why => why.detail).join(' ')}</p>
                  )}
                </div>
              </PermitCard>
            )
          })}
        </section>
      ))}
    </div>
  )
}

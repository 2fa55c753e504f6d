import { useEffect } from 'react'
import { Go, usePlace } from '../../../base/go.tsx'
import { Empty, FaultNote, Note, Skeleton } from '../../../base/kit/note.tsx'
import { paths } from '../../../base/paths.ts'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import { Carried } from './carried.tsx'
import { CarriedList, FieldButtons } from './carried-list.tsx'
import { isComing, useCarried, useRound } from './data.ts'
import type { WalletPermit } from './model.ts'
import { type AsAt, AsAtMark } from './parts/as-at.tsx'
import './wallet.css'

/** The person's permits on site, the most urgent first; with `?permit=`, one of them in full. All of it opens without a connection. */
export default function Wallet() {
  const here = useHere()
  const [place] = usePlace()
  const wallet = useCarried(here.site_id)
  const round = useRound(here.site_id)
  const permits = wallet.data
  if (permits === undefined)
    return wallet.error === null ? (
      <Skeleton rows={4} height={160} />
    ) : (
      <FaultNote error={wallet.error} onRetry={() => void wallet.refetch()} />
    )
  const as_at = { at: wallet.dataUpdatedAt, stale: wallet.error !== null }
  const open = permits.find(one => one.id === place.permit)
  if (open !== undefined) return <Carried key={open.id} permit={open} as_at={as_at} />
  // The button of the round is above the cards: they would jump down when it comes.
  if (isComing(round)) return <Skeleton rows={4} height={160} />
  return <List permits={permits} as_at={as_at} gone={place.permit !== undefined} />
}

function List({ permits, as_at, gone }: { permits: readonly WalletPermit[]; as_at: AsAt; gone: boolean }) {
  const here = useHere()
  useEffect(() => {
    document.title = `${t('wallet.title')} · ${here.name}`
  }, [here.name])
  return (
    <div className="field wallet">
      <header className="row spread">
        <h1>{t('wallet.title')}</h1>
        <AsAtMark as_at={as_at} zone={here.zone} />
      </header>
      {gone && <Note kind="warn">{t('wallet.gone')}</Note>}
      <FieldButtons />
      {permits.length === 0 ? (
        <Empty
          action={
            <Go className="btn" to={paths.board(here.site_id)}>
              {t('fault.to_board')}
            </Go>
          }
        >
          {t('wallet.empty')}
        </Empty>
      ) : (
        <section className="stack">
          <h2 className="unseen">{t('wallet.carried')}</h2>
          <CarriedList permits={permits} />
        </section>
      )}
    </div>
  )
}

import { useEffect, useMemo } from 'react'
import { Go, usePlace } from '../../../base/go.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { Empty, FaultNote, Note, Skeleton } from '../../../base/kit/note.tsx'
import { edgesOf, useNow } from '../../../base/now.ts'
import { paths } from '../../../base/paths.ts'
import { usePeople } from '../../../base/people.ts'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import { PermitCard } from '../permits/door.tsx'
import { Carried } from './carried.tsx'
import { useKeptPapers, useKeys, useRound, useWallet } from './data.ts'
import { byUrgency, callOf, type WalletPermit } from './model.ts'
import { type AsAt, AsAtMark } from './parts/as-at.tsx'
import { CallLine } from './parts/call.tsx'
import { Waiting } from './parts/waiting.tsx'
import './wallet.css'

/** The person's permits on site, the most urgent first; with `?permit=`, one of them in full. All of it opens without a connection. */
export default function Wallet() {
  const here = useHere()
  const [place] = usePlace()
  const wallet = useWallet(here.site_id)
  const permits = wallet.data
  // With the site's keys, a document can be verified without a connection.
  useKeys(here.site_id)
  useKeptPapers(here.site_id, permits)
  // Names of all people on the permits: fetched while there is a connection, and known without one.
  usePeople(
    (permits ?? []).flatMap(one => [one.requestor_id, one.receiver_id, one.issuer_id, ...one.pre_checks.map(check => check.answered_by)]),
  )
  if (permits === undefined)
    return wallet.error === null ? (
      <Skeleton rows={4} height={160} />
    ) : (
      <FaultNote error={wallet.error} onRetry={() => void wallet.refetch()} />
    )
  const as_at = { at: wallet.dataUpdatedAt, stale: wallet.error !== null }
  const open = permits.find(one => one.id === place.permit)
  if (open !== undefined) return <Carried key={open.id} permit={open} as_at={as_at} />
  return <List permits={permits} as_at={as_at} gone={place.permit !== undefined} />
}

function List({ permits, as_at, gone }: { permits: readonly WalletPermit[]; as_at: AsAt; gone: boolean }) {
  const here = useHere()
  const now = useNow(
    15_000,
    useMemo(() => edgesOf(permits), [permits]),
  )
  const round = useRound(here.site_id)
  const closable = (round.data ?? []).flatMap(stop => stop.permits).filter(one => one.permissions.close_out.allowed).length
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
      <div className="stack">
        <Go className="btn primary wide" to={paths.scan(here.site_id)}>
          <Glyph name="scan" size={26} />
          {t('wallet.scan')}
        </Go>
        {closable > 0 && (
          <Go className="btn wide" to={paths.closeOutRound(here.site_id)}>
            <Glyph name="ok" size={26} />
            {t('wallet.round', { n: closable })}
          </Go>
        )}
      </div>
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
          <ul className="stack">
            {byUrgency(permits, now).map(permit => (
              <li key={permit.id}>
                <PermitCard
                  permit={permit}
                  zone={here.zone}
                  now={now}
                  link={<Go to={paths.wallet(here.site_id, { permit: permit.id })}>{permit.title ?? t('permit.untitled')}</Go>}
                >
                  <CallLine call={callOf(permit, now)} permit={permit} now={now} />
                  <Waiting permit_id={permit.id} />
                </PermitCard>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

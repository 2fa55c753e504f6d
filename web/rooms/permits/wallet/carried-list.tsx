import { useMemo } from 'react'
import { Go } from '../../../base/go.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { edgesOf, useNow } from '../../../base/now.ts'
import { paths } from '../../../base/paths.ts'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import { PermitCard } from '../permits/door.tsx'
import { useRound } from './data.ts'
import { byUrgency, callOf, type WalletPermit } from './model.ts'
import { CallLine } from './parts/call.tsx'
import { Waiting } from './parts/waiting.tsx'
import './wallet.css'

/** Scanning, and the close-out round when the person can close something out there. */
export function FieldButtons() {
  const { site_id } = useHere()
  const round = useRound(site_id)
  const closable = (round.data ?? []).flatMap(stop => stop.permits).filter(one => one.permissions.close_out.allowed).length
  return (
    <div className="stack">
      <Go className="btn primary wide" to={paths.scan(site_id)}>
        <Glyph name="scan" size={26} />
        {t('wallet.scan')}
      </Go>
      {closable > 0 && (
        <Go className="btn wide" to={paths.closeOutRound(site_id)}>
          <Glyph name="ok" size={26} />
          {t('wallet.round', { n: closable })}
        </Go>
      )}
    </div>
  )
}

/** Cards of the wallet, the most urgent first; `most` limits how many. */
export function CarriedList({ permits, most = Number.POSITIVE_INFINITY }: { permits: readonly WalletPermit[]; most?: number }) {
  const here = useHere()
  const now = useNow(
    15_000,
    useMemo(() => edgesOf(permits), [permits]),
  )
  return (
    <ul className="stack">
      {byUrgency(permits, now)
        .slice(0, most)
        .map(permit => (
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
  )
}

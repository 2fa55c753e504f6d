import { Go } from '../../../../base/go.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import { CarriedList, FieldButtons } from '../carried-list.tsx'
import { useCarried } from '../data.ts'
import { AsAtMark } from './as-at.tsx'

const MOST = 5

/** The top of the wallet, for people who work under a permit or sign on site; nothing for the others. It opens without a connection. */
export function WalletTop() {
  const { site_id, zone } = useHere()
  const wallet = useCarried(site_id)
  const permits = wallet.data ?? []
  if (permits.length === 0) return null
  return (
    <section className="field wallet-top stack" aria-label={t('wallet.carried')}>
      <header className="row spread">
        <h2>{t('wallet.carried')}</h2>
        <AsAtMark as_at={{ at: wallet.dataUpdatedAt, stale: wallet.error !== null }} zone={zone} />
      </header>
      <FieldButtons />
      <CarriedList permits={permits} most={MOST} />
      {permits.length > MOST && (
        <Go className="btn wide" to={paths.wallet(site_id)}>
          {t('wallet.all', { n: permits.length })}
        </Go>
      )}
    </section>
  )
}

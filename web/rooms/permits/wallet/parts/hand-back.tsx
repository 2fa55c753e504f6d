import { Go } from '../../../../base/go.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import { useWallet } from '../data.ts'
import type { WalletPermit } from '../model.ts'

/** Permits that are offered one by one. The wallet has the others. */
const AT_ONCE = 3

/** A way to the hand-back of the permits that the person can hand back: those whose work has begun come first, and the earliest end among them. */
export default function HandBack() {
  const { site_id } = useHere()
  const wallet = useWallet(site_id)
  const rank = ({ status, end_at }: WalletPermit) => `${status === 'approved' ? 1 : 0} ${end_at ?? '~'}`
  const able = (wallet.data ?? []).filter(permit => permit.permissions.hand_back.allowed).sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
  return (
    <>
      {able.slice(0, AT_ONCE).map(permit => (
        <Go key={permit.id} className="btn wide" to={paths.wallet(site_id, { permit: permit.id, step: 'hand_back' })}>
          <Glyph name="return" size={26} />
          <span>
            {t('step.hand_back')} <span className="mono">{permit.permit_number}</span> {permit.title}
          </span>
        </Go>
      ))}
      {able.length > AT_ONCE && (
        <Go className="btn wide" to={paths.wallet(site_id)}>
          <Glyph name="return" size={26} />
          {t('wallet.hand_back_other')}
        </Go>
      )}
    </>
  )
}

import { Go } from '../../../../base/go.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import { useWallet } from '../data.ts'

/** A way to the hand-back of each permit that the person can hand back. */
export default function HandBack() {
  const { site_id } = useHere()
  const wallet = useWallet(site_id)
  return (wallet.data ?? [])
    .filter(permit => permit.permissions.hand_back.allowed)
    .map(permit => (
      <Go key={permit.id} className="btn wide" to={paths.wallet(site_id, { permit: permit.id, step: 'hand_back' })}>
        <Glyph name="back" size={26} />
        <span>
          {t('step.hand_back')} <span className="mono">{permit.permit_number}</span> {permit.title}
        </span>
      </Go>
    ))
}

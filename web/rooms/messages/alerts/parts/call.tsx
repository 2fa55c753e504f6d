import { useQuery } from '@tanstack/react-query'
import { siteQuery, useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import { dialled } from '../model.ts'

/** The emergency phone of the site, wherever an alert is read or raised; a phone calls it with one tap. Nothing, if the site has none. */
export function EmergencyPhone() {
  const { site_id } = useHere()
  const phone = useQuery(siteQuery(site_id)).data?.emergency_phone ?? null
  if (phone === null) return null
  const number = dialled(phone)
  const says = t('alert.call', { phone: phone.replaceAll(' ', '\u00a0') })
  return number === null ? (
    <p className="strong">{says}</p>
  ) : (
    <a className="btn" href={`tel:${number}`}>
      {says}
    </a>
  )
}

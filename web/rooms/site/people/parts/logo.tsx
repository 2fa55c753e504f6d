import { toastFault } from '../../../../base/kit/note.tsx'
import { usePicture } from '../../../../base/records/picture.ts'
import { type Contractor, setLogo } from '../data.ts'
import { t } from '../says.ts'

/** A contractor's logo; without one, its short name on its colour. */
export function Logo({ contractor }: { contractor: Contractor }) {
  const path = `/contractors/${contractor.id}/logo/image?size=64&v=${contractor.logo_version}`
  const { url } = usePicture(contractor.logo_version > 0 ? { path } : null)
  return contractor.logo_version > 0 && url !== null ? (
    <img className="logo" src={url} alt="" width={40} height={40} />
  ) : (
    <span className="logo mono" aria-hidden>
      <span className="swatch" style={{ background: contractor.colour }} />
      {contractor.short_name}
    </span>
  )
}

/** Chooses a logo for a contractor. */
export function LogoPick({ contractor }: { contractor: Contractor }) {
  return (
    <label className="btn quiet">
      {t('contractor.logo')}
      <span className="unseen">{contractor.name}</span>
      <input
        className="unseen"
        type="file"
        accept="image/png,image/jpeg,image/webp"
        onChange={event => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file !== undefined) void setLogo(contractor, file).catch(toastFault)
        }}
      />
    </label>
  )
}

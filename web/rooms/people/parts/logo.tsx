import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fetchFile } from '../../../base/api.ts'
import { toastFault } from '../../../base/kit/note.tsx'
import { t } from '../../../base/words.ts'
import { type Firm, setLogo } from '../data.ts'

/** The logo of a contractor; without one, its short name on its colour. */
export function Logo({ firm }: { firm: Firm }) {
  const logo = useQuery({
    queryKey: ['contractor-logo', firm.id, firm.logo_version],
    queryFn: () => fetchFile(`/contractors/${firm.id}/logo/image?size=64&v=${firm.logo_version}`),
    enabled: firm.logo_version > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (logo.data === undefined) return
    const made = URL.createObjectURL(logo.data)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [logo.data])
  return firm.logo_version > 0 && url !== null ? (
    <img className="logo" src={url} alt="" width={40} height={40} />
  ) : (
    <span className="logo mono" aria-hidden>
      <span className="swatch" style={{ background: firm.colour }} />
      {firm.short_name}
    </span>
  )
}

/** Chooses a logo for a contractor. */
export function LogoPick({ firm }: { firm: Firm }) {
  return (
    <label className="btn quiet">
      {t('firm.logo')}
      <span className="unseen">{firm.name}</span>
      <input
        className="unseen"
        type="file"
        accept="image/png,image/jpeg,image/webp"
        onChange={event => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file !== undefined) void setLogo(firm, file).catch(toastFault)
        }}
      />
    </label>
  )
}

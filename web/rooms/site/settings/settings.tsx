import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useHere } from '../../../base/site.tsx'
import { Appointments } from './parts/appointments.tsx'
import { Policy } from './parts/policy.tsx'
import { Regime } from './parts/regime.tsx'
import { PARTS, type Part, SettingsTabs } from './parts/tabs.tsx'
import { Types } from './parts/types.tsx'
import { t } from './says.ts'
import { SiteDetails } from './site/details.tsx'
import { Hours } from './site/hours.tsx'
import { Labels } from './site/labels.tsx'
import './settings.css'

const PAGES: Record<Part, () => React.ReactNode> = {
  site: SiteDetails,
  hours: Hours,
  labels: Labels,
  types: Types,
  appointments: Appointments,
  policy: Policy,
  regime: Regime,
}

/** Settings of the site, one part at a time. */
export default function Settings() {
  const here = useHere()
  const asked = useParams({ strict: false }).part
  const part = PARTS.find(one => one === asked) ?? 'types'
  const Shown = PAGES[part]
  useEffect(() => {
    document.title = `${t(`settings.${part}`)} · ${here.name}`
  }, [part, here.name])
  return (
    <div className="stack settings-page">
      <h1>{t('nav.settings')}</h1>
      <SettingsTabs part={part} />
      <Shown />
    </div>
  )
}

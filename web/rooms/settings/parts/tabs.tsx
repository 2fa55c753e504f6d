import { useEffect, useRef } from 'react'
import { Go } from '../../../base/go.tsx'
import { paths } from '../../../base/paths.ts'
import { useHere } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'

/** Parts of the settings, in the order of their tabs. */
export const PARTS = ['types', 'appointments', 'policy', 'regime'] as const
export type Part = (typeof PARTS)[number]

/** The parts of the settings: links, so that each has an address. */
export function SettingsTabs({ part }: { part: Part | 'workflow' | 'rules' }) {
  const { site_id, can } = useHere()
  const bar = useRef<HTMLElement>(null)
  // On a phone the tabs are wider than the screen: the one that is open is brought into sight.
  // In braces: what scrolling answers (a promise, by now) is no way to undo it.
  useEffect(() => {
    bar.current?.querySelector(`[data-part=${part}]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [part])
  const tabs = [
    ...PARTS.map(name => ({ name, label: t(`settings.${name}`), to: paths.settings(site_id, name) })),
    { name: 'workflow' as const, label: t('settings.workflow'), to: paths.workflow(site_id) },
    ...(can('notification_rule_view') ? [{ name: 'rules' as const, label: t('settings.rules_tab'), to: paths.rules(site_id) }] : []),
  ]
  return (
    <nav ref={bar} className="tabs" aria-label={t('settings.parts')}>
      {tabs.map(({ name, label, to }) => (
        <Go key={name} to={to} data-part={name} aria-current={name === part ? 'page' : undefined}>
          {label}
        </Go>
      ))}
    </nav>
  )
}

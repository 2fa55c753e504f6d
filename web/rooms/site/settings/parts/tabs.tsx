import { useEffect, useRef } from 'react'
import { Go } from '../../../../base/go.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { Menu } from '../../../../base/kit/window.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../says.ts'

/** The parts of the settings. */
export const PARTS = ['site', 'hours', 'types', 'appointments', 'policy', 'regime', 'labels'] as const
export type Part = (typeof PARTS)[number]

/** How many tabs are side by side; the others are behind the last one. */
const IN_SIGHT = 5

/** The parts of the settings, as links, so that each has a URL. At most six tabs; the last one contains what is seldom changed. */
export function SettingsTabs({ part }: { part: Part | 'workflow' | 'rules' | 'clash-rules' | 'smart-groups' }) {
  const { site_id, can, groups_off } = useHere()
  const bar = useRef<HTMLElement>(null)
  // On a phone the tabs are wider than the screen, so the open one is scrolled to the middle, where it has others on both sides.
  // In braces, because the return value of scrolling (a promise, in new browsers) is not a cleanup function.
  useEffect(() => {
    bar.current?.querySelector(`[data-part=${part}]`)?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [part])
  const tabs = [
    ...PARTS.filter(name => name !== 'regime' && name !== 'labels').map(name => ({
      name,
      label: t(`settings.${name}`),
      to: paths.settings(site_id, name),
    })),
    { name: 'regime', label: t('settings.regime'), to: paths.settings(site_id, 'regime') },
    { name: 'workflow', label: t('settings.workflow'), to: paths.workflow(site_id) },
    ...(can('notification_rule_view') ? [{ name: 'rules', label: t('settings.rules_tab'), to: paths.rules(site_id) }] : []),
    ...(can('clash_view') && !groups_off.includes('conflicts')
      ? [{ name: 'clash-rules', label: t('clash.title'), to: paths.clashRules(site_id) }]
      : []),
    ...(can('smart_group_edit') ? [{ name: 'smart-groups', label: t('groups.title'), to: paths.smartGroups(site_id) }] : []),
    { name: 'labels', label: t('settings.labels'), to: paths.settings(site_id, 'labels') },
    { name: 'contractors', label: t('settings.contractors'), to: paths.contractors(site_id) },
  ]
  const more = tabs.slice(IN_SIGHT)
  const open = more.find(tab => tab.name === part)
  return (
    <nav ref={bar} className="tabs" aria-label={t('settings.parts')}>
      {tabs.slice(0, IN_SIGHT).map(({ name, label, to }) => (
        <Go key={name} to={to} data-part={name} aria-current={name === part ? 'page' : undefined}>
          {label}
        </Go>
      ))}
      <span data-part={open?.name ?? 'more'} aria-current={open === undefined ? undefined : 'page'}>
        <Menu
          label={open === undefined ? t('settings.more') : `${t('settings.more')}: ${open.label}`}
          square={false}
          face={
            <>
              <span>{open?.label ?? t('settings.more')}</span>
              <Glyph name="down" />
            </>
          }
        >
          {more.map(({ name, label, to }) => (
            <Go key={name} className="item" to={to} aria-current={name === part ? 'page' : undefined}>
              {label}
            </Go>
          ))}
        </Menu>
      </span>
    </nav>
  )
}

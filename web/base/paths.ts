// Every URL of the app, in one place; a snapshot test checks them, because links in old emails must keep working.
const q = (params: Record<string, string | undefined>): string => {
  const said = Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return said.length === 0 ? '' : `?${new URLSearchParams(said)}`
}

/** URLs of the app. */
export const paths = {
  sites: () => '/',
  /** The page that a site opens with. `kiosk`: on the full screen of the site office. */
  today: (site: string, params: { kiosk?: string } = {}) => `/sites/${site}/today${q(params)}`,
  newSite: () => '/sites/new',
  board: (site: string, params: Record<string, string | undefined> = {}) => `/sites/${site}/board${q(params)}`,
  permit: (site: string, permit: string, params: { review?: string } = {}) => `/sites/${site}/permits/${permit}${q(params)}`,
  request: (site: string, params: { draft?: string; parent?: string } = {}) => `/sites/${site}/request${q(params)}`,
  wallet: (site: string, params: { permit?: string; paper?: string; step?: string } = {}) => `/sites/${site}/wallet${q(params)}`,
  closeOutRound: (site: string) => `/sites/${site}/close-out`,
  outbox: (site: string) => `/sites/${site}/outbox`,
  scan: (site: string) => `/sites/${site}/scan`,
  tasks: (site: string) => `/sites/${site}/tasks`,
  stops: (site: string, params: { stop?: string } = {}) => `/sites/${site}/stops${q(params)}`,
  alerts: (site: string, params: { alert?: string } = {}) => `/sites/${site}/alerts${q(params)}`,
  notifications: (site: string) => `/sites/${site}/notifications`,
  preferences: (site: string) => `/sites/${site}/notifications/preferences`,
  map: (site: string, params: Record<string, string | undefined> = {}) => `/sites/${site}/map${q(params)}`,
  /** The points for emergencies as a page to print. */
  emergencyPlan: (site: string) => `/sites/${site}/map/emergency-plan`,
  /** Where a site map or a floor plan is put on the ground. */
  plan: (site: string, of: 'site-maps' | 'floor-plans', plan: string) => `/sites/${site}/map/${of}/${plan}`,
  import: (site: string) => `/sites/${site}/import`,
  members: (site: string) => `/sites/${site}/members`,
  contractors: (site: string) => `/sites/${site}/contractors`,
  settings: (site: string, part?: string) => `/sites/${site}/settings${part === undefined ? '' : `/${part}`}`,
  workflow: (site: string, params: { type?: string } = {}) => `/sites/${site}/settings/workflow${q(params)}`,
  rules: (site: string) => `/sites/${site}/settings/rules`,
  rule: (site: string, rule: string) => `/sites/${site}/settings/rules/${rule}`,
  clashes: (site: string, params: { episode?: string; rule?: string } = {}) => `/sites/${site}/clashes${q(params)}`,
  clashRules: (site: string, params: { profile?: string } = {}) => `/sites/${site}/settings/clash-rules${q(params)}`,
  /** A clash rule; `new` with the profile that gets it. */
  clashRule: (site: string, rule: string, params: { profile?: string } = {}) => `/sites/${site}/settings/clash-rules/${rule}${q(params)}`,
  smartGroups: (site: string) => `/sites/${site}/settings/smart-groups`,
  /** A smart group, or `new`. */
  smartGroup: (site: string, group: string) => `/sites/${site}/settings/smart-groups/${group}`,
  /** Where something on site is shown: a permit on its page, everything else on the map. */
  thing: (site: string, kind: string, id: string) =>
    kind === 'permit' ? `/sites/${site}/permits/${id}` : `/sites/${site}/map${q({ chosen: id })}`,
  audit: (site: string, params: Record<string, string | undefined> = {}) => `/sites/${site}/audit${q(params)}`,
  join: (token: string) => `/join#${token}`,
  verify: () => '/verify',
} as const

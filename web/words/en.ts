// The English catalogue: each area has its own file; each key is defined once.
import { audit } from './en/audit.ts'
import { common } from './en/common.ts'
import { imports } from './en/import.ts'
import { join } from './en/join.ts'
import { map } from './en/map.ts'
import { notifications } from './en/notifications.ts'
import { people } from './en/people.ts'
import { permits } from './en/permits.ts'
import { request } from './en/request.ts'
import { rules } from './en/rules.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { site } from './en/site.ts'
import { tasks } from './en/tasks.ts'
import { wallet } from './en/wallet.ts'
import { workflow } from './en/workflow.ts'

/** Every text of the app. */
export const en = {
  ...common,
  ...shell,
  ...permits,
  ...request,
  ...map,
  ...imports,
  ...join,
  ...site,
  ...people,
  ...notifications,
  ...settings,
  ...wallet,
  ...tasks,
  ...workflow,
  ...audit,
  ...rules,
} satisfies Record<string, string | { one: string; other: string }>

/** A key of the catalogue. */
export type Key = keyof typeof en

// The English texts that are known from the start, collected from the rooms: each brings its own in `words.ts`. Each key is defined once. Texts of a part
// of the app that is loaded later are in its `texts.ts` (decision 910).
import { words as clashRules } from '../rooms/conflicts/clash-rules/words.ts'
import { words as clashes } from '../rooms/conflicts/clashes/words.ts'
import { words as map } from '../rooms/map/map/words.ts'
import { words as alerts } from '../rooms/messages/alerts/words.ts'
import { words as notifications } from '../rooms/messages/notifications/words.ts'
import { words as rules } from '../rooms/messages/rules/words.ts'
import { words as tasks } from '../rooms/messages/tasks/words.ts'
import { words as audit } from '../rooms/operate/audit/words.ts'
import { words as imports } from '../rooms/permits/import/words.ts'
import { words as permits } from '../rooms/permits/permits/words.ts'
import { words as wallet } from '../rooms/permits/wallet/words.ts'
import { words as workflow } from '../rooms/permits/workflow/words.ts'
import { words as people } from '../rooms/site/people/words.ts'
import { words as settings } from '../rooms/site/settings/words.ts'
import { words as smartGroups } from '../rooms/site/smart-groups/words.ts'
import { words as today } from '../rooms/site/today/words.ts'
import { common } from './en/common.ts'
import { shell } from './en/shell.ts'

/** Every text that is known from the start. */
export const en = {
  ...common,
  ...shell,
  ...today,
  ...permits,
  ...wallet,
  ...tasks,
  ...alerts,
  ...notifications,
  ...map,
  ...imports,
  ...people,
  ...settings,
  ...workflow,
  ...rules,
  ...clashRules,
  ...clashes,
  ...smartGroups,
  ...audit,
} satisfies Record<string, string | { one: string; other: string }>

/** A key of a text that is known from the start. */
export type Key = keyof typeof en

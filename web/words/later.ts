// The texts that are loaded with a part of the app, because most people never open it: only their keys are known from the start (decision 910).
import type { ruleTexts } from '../rooms/conflicts/clash-rules/rule-texts.ts'
import type { clashTexts } from '../rooms/conflicts/clash-rules/texts.ts'
import type { stoppedTexts } from '../rooms/conflicts/clashes/stopped-texts.ts'
import type { settleTexts } from '../rooms/conflicts/clashes/texts.ts'
import type { areaTexts } from '../rooms/map/map/areas/texts.ts'
import type { mapClashTexts } from '../rooms/map/map/clashes/texts.ts'
import type { planTexts } from '../rooms/map/map/plans/texts.ts'
import type { noticeRuleTexts } from '../rooms/messages/rules/texts.ts'
import type { comparedTexts } from '../rooms/permits/permits/compared-texts.ts'
import type { stopTexts } from '../rooms/permits/stops/texts.ts'
import type { workflowTexts } from '../rooms/permits/workflow/texts.ts'
import type { groupTexts } from '../rooms/site/smart-groups/texts.ts'

/** A key of a text that is loaded later. */
export type LaterKey =
  | keyof typeof areaTexts
  | keyof typeof mapClashTexts
  | keyof typeof planTexts
  | keyof typeof clashTexts
  | keyof typeof ruleTexts
  | keyof typeof settleTexts
  | keyof typeof comparedTexts
  | keyof typeof stoppedTexts
  | keyof typeof noticeRuleTexts
  | keyof typeof stopTexts
  | keyof typeof workflowTexts
  | keyof typeof groupTexts

import type { Schedule } from '../../../kernel/jobs/door.ts'
import type { MailKind } from '../../../kernel/mail/door.ts'
import { checkChains } from './actions/check.ts'
import { headsLetter } from './actions/letter.ts'
import { witnessHeads } from './actions/witness.ts'

export const schedules: Schedule[] = [
  {
    kind: 'chain_check',
    says: 'Verifies every audit chain from where the last check ended, and once a week from its first entry.',
    every_minutes: 24 * 60,
    run: checkChains,
  },
  {
    kind: 'audit_witness',
    says: 'Records the head of every audit log, emails the heads to administrators and superadmins, and sends them, signed, to the witness if one is set.',
    every_minutes: 24 * 60,
    run: witnessHeads,
  },
]

export const mails: MailKind[] = [
  {
    kind: 'audit_heads',
    says: 'Sends administrators the heads of their sites’ audit logs, and superadmins those of all logs, as proof kept on another system.',
    letter: headsLetter,
  },
]

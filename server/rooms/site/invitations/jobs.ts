import type { MailKind } from '../../../kernel/mail/door.ts'
import { invitationLetter, mailCameBack } from './actions/letters.ts'

export const mails: MailKind[] = [
  {
    kind: 'invitation',
    says: 'Sends an invitation by email, with a token that is created when the email is sent.',
    letter: (house, input) => invitationLetter(house, String(input.site_id), String(input.invite_id), Number(input.send)),
    refused: (house, input) => mailCameBack(house, String(input.site_id), String(input.invite_id)),
  },
]

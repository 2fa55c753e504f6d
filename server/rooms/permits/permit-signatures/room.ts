import { defineRoom } from '../../../kernel/sockets/door.ts'
import { signature } from './door.ts'

export const room = defineRoom({
  name: 'permit-signatures',
  area: 'permits',
  says: 'Signatures of permits: what each covers, and the chain that they form.',
  kinds: [signature],
})

import { defineRoom } from '../../../kernel/sockets/door.ts'
import { clashConsequence } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'clash-consequences',
  says: 'What clashes mean for the work: whether it stops, who gives way, and how early people are asked to settle them.',
  routes,
  kinds: [clashConsequence],
})

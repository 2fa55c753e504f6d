import { defineRoom } from '../../../kernel/sockets/door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'clash-previews',
  area: 'clash-rules',
  says: 'Shows what a clash rule would find before it is saved.',
  routes,
})

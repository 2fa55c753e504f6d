import { defineRoom } from '../../../kernel/sockets/door.ts'

export const room = defineRoom({
  name: 'comparisons',
  area: 'clash-rules',
  says: 'Compares what is on a site by its active rules: which permits conflict, from the rows as they are now.',
})

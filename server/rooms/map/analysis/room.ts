import { defineRoom } from '../../../kernel/sockets/door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({ name: 'analysis', says: 'When the picture of a site changes, and how full the site was.', routes })

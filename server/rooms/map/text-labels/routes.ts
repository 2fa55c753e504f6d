import { placedRoutes } from '../../../kernel/placed/kit.ts'
import { textLabels } from './actions.ts'

export const routes = placedRoutes(textLabels, { order: 'by start and id' })

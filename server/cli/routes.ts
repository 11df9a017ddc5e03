/** `npm run routes`: method, address, the room that answers, who may call. */
import { listRoutes, printRoutes } from './route-list.ts'

process.stdout.write(printRoutes(await listRoutes()))

import { cookies } from 'next/headers'
import handOver from '../hand-over.json'
import { Inbox } from './inbox'

/** Made anew for every visit, as a page of somebody signed in is. */
export default async function Page() {
  const jar = await cookies()
  return <Inbox data={handOver} visitor={jar.size} />
}

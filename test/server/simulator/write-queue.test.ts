import t from 'tap'
import { insertFault, listFaults } from '#server/simulator/faults/fault-store.ts'
import { createWriteQueue } from '#server/simulator/write-queue.ts'
import { sandboxBench } from '#test/helpers/sandbox.ts'

t.test(
  'writes of one turn all happen, each with its own result, and only the one that throws is rolled back',
  async t => {
    const { databases, member } = await sandboxBench(t)
    const write = createWriteQueue(databases)
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, i) =>
        write(async trx => {
          await insertFault(trx, member.orgId, { code: String(i), mode: 'sync' }, 1)
          if (i === 7) throw new Error('seven')
          return i
        }),
      ),
    )
    t.same(
      results.map(result => (result.status === 'fulfilled' ? result.value : result.reason.message)),
      Array.from({ length: 60 }, (_, i) => (i === 7 ? 'seven' : i)),
    )
    const codes = (await listFaults(databases.read, member.orgId, 100)).map(({ code }) => Number(code))
    t.same(
      codes.sort((a, b) => a - b),
      Array.from({ length: 60 }, (_, i) => i).filter(i => i !== 7),
    )
  },
)

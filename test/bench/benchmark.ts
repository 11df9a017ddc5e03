/** One measurement. Each `test/bench/<name>.bench.ts` exports these three. */
export interface Benchmark {
  readonly name: string
  readonly title: string
  /** Measures, prints its table with the ratios against its peers, and answers whether every goal was reached. */
  run(args: readonly string[]): Promise<boolean>
}

export const WORKLOADS = ['list20', 'get', 'create', 'mixed', 'pages'] as const

export type Workload = (typeof WORKLOADS)[number]

export type PlannedRequest = { method: 'GET' | 'POST'; path: string; body?: string }

/** What a seeded contestant offers, as paths. */
export type Stock = { collection: string; list: string; animals: string[]; pages: string[] }

export const WORKLOAD_TITLES: Record<Workload, string> = {
  list20: 'list of 20',
  get: 'one animal',
  create: 'creation, durable',
  mixed: '90 % list, 5 % get, 5 % create',
  pages: '100 different pages',
}

const STATUSES = ['available', 'pending', 'sold']
const VARIETY = 1000

export function animal(number: number): string {
  const status = STATUSES[number % STATUSES.length]
  return JSON.stringify({ name: `Animal ${number}`, categoryId: (number % 10) + 1, status })
}

export function planRequests(workload: Workload, stock: Stock): PlannedRequest[] {
  switch (workload) {
    case 'list20':
      return [read(stock.list)]
    case 'get':
      return stock.animals.map(read)
    case 'create':
      return range(VARIETY).map(number => create(stock, number))
    case 'mixed':
      return range(VARIETY * 2).map(number => mixed(stock, number))
    case 'pages':
      return stock.pages.map(read)
  }
}

/** Of every 20 consecutive requests, 18 list, 1 gets and 1 creates. */
function mixed(stock: Stock, number: number): PlannedRequest {
  if (number % 20 === 7) return read(stock.animals[number % stock.animals.length] ?? stock.list)
  if (number % 20 === 17) return create(stock, number)
  return read(stock.list)
}

function read(path: string): PlannedRequest {
  return { method: 'GET', path }
}

function create(stock: Stock, number: number): PlannedRequest {
  return { method: 'POST', path: stock.collection, body: animal(number) }
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}

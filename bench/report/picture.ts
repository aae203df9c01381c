import { BarChart, ScatterChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { Ratio, Summary } from '../harness/summary.ts'
import { WORKLOAD_TITLES, type Workload } from '../harness/workloads.ts'
import { figure, isPeer, titleOf } from './tables.ts'

// A grey and hues of medium lightness, readable on white and on dark pages.
const INK = '#7d8590'
const FAINT = '#7d859040'
const SERVICE = '#2f81f7'
const TARGET = '#d29922'
const SHOWN: [Workload, string][] = [
  ['list20', SERVICE],
  ['get', '#2da44e'],
  ['create', '#a371f7'],
]
/** How echarts marks a missing value. */
const NOTHING = '-'
const PEER_HEIGHT = 58
const SHARE_NAME = 'petstore'
const TARGET_NAME = 'target'
const FONT = 'system-ui, sans-serif'

export function drawPicture({ ratios }: Summary): string {
  echarts.use([BarChart, ScatterChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer])
  const shares = ratios.filter(ratio => ratio.against === 'floor').toReversed()
  const peers = [...new Set(ratios.map(ratio => ratio.against))].filter(isPeer).toReversed()
  const chart = echarts.init(null, null, {
    renderer: 'svg',
    ssr: true,
    width: 860,
    height: 390 + peers.length * PEER_HEIGHT,
  })
  chart.setOption({
    animation: false,
    textStyle: { fontFamily: FONT, color: INK },
    title: [
      heading('Share of the throughput of a bare Bun.serve that only sends the same answers', 8),
      heading('Times the throughput of', 300),
    ],
    legend: [
      legend([SHARE_NAME, TARGET_NAME], 34),
      legend(
        SHOWN.map(([workload]) => WORKLOAD_TITLES[workload]),
        326,
      ),
    ],
    grid: [
      { left: 210, right: 70, top: 64, height: 190 },
      { left: 210, right: 70, top: 356, height: peers.length * PEER_HEIGHT },
    ],
    xAxis: [
      { ...valueAxis(0), max: 1 },
      { ...valueAxis(1), type: 'log' as const, min: powerUnder(ratios) },
    ],
    yAxis: [
      nameAxis(
        0,
        shares.map(ratio => WORKLOAD_TITLES[ratio.workload]),
      ),
      nameAxis(1, peers.map(titleOf)),
    ],
    series: [shareBars(shares), targetMarks(shares), ...peerBars(ratios, peers)],
  })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
}

function heading(text: string, top: number) {
  const textStyle = { color: INK, fontSize: 15, fontWeight: 'bold' as const, fontFamily: FONT }
  return { text, top, left: 8, textStyle }
}

function legend(data: string[], top: number) {
  const textStyle = { color: INK, fontSize: 12, fontFamily: FONT }
  return { data, top, left: 205, itemWidth: 12, itemHeight: 12, itemGap: 18, textStyle }
}

/** The start of a logarithmic axis on which the shortest bar is still visible. */
function powerUnder(ratios: Ratio[]): number {
  const least = Math.min(1, ...ratios.filter(({ against }) => isPeer(against)).map(({ median }) => median))
  return 10 ** Math.floor(Math.log10(least))
}

function valueAxis(gridIndex: number) {
  return {
    gridIndex,
    type: 'value' as const,
    min: 0,
    axisLabel: { color: INK },
    splitLine: { lineStyle: { color: FAINT } },
  }
}

function nameAxis(gridIndex: number, data: string[]) {
  return {
    gridIndex,
    type: 'category' as const,
    data,
    axisLabel: { color: INK, fontSize: 13 },
    axisTick: { show: false },
    axisLine: { lineStyle: { color: INK } },
  }
}

function shareBars(shares: Ratio[]) {
  return {
    name: SHARE_NAME,
    type: 'bar' as const,
    barWidth: 18,
    data: shares.map(ratio => ratio.median),
    itemStyle: { color: SERVICE, borderRadius: 2 },
    // Inside the bar, where no target line can hide it.
    label: { ...valueLabel(13, ''), position: 'insideRight' as const, color: '#ffffff' },
  }
}

function targetMarks(shares: Ratio[]) {
  return {
    name: TARGET_NAME,
    type: 'scatter' as const,
    symbol: 'rect',
    symbolSize: [3, 26],
    itemStyle: { color: TARGET, opacity: 1 },
    data: shares.map((ratio, row) => [ratio.target ?? Number.NaN, row]),
    z: 3,
  }
}

function peerBars(ratios: Ratio[], peers: string[]) {
  return SHOWN.map(([workload, color]) => ({
    name: WORKLOAD_TITLES[workload],
    type: 'bar' as const,
    xAxisIndex: 1,
    yAxisIndex: 1,
    barWidth: 13,
    barGap: '20%',
    itemStyle: { color, borderRadius: 2 },
    label: valueLabel(11, '×'),
    data: peers.map(
      peer => ratios.find(r => r.against === peer && r.workload === workload)?.median ?? NOTHING,
    ),
  }))
}

function valueLabel(fontSize: number, unit: string) {
  return {
    show: true,
    position: 'right' as const,
    color: INK,
    fontSize,
    formatter: ({ value }: { value: unknown }) => `${figure(Number(value))}${unit}`,
  }
}

/** The part of echarts that the picture uses. The package is installed only where a picture is drawn. */
declare module 'echarts/core' {
  export function use(parts: readonly unknown[]): void
  export function init(
    element: null,
    theme: null,
    options: Readonly<Record<string, unknown>>,
  ): {
    setOption(option: object): void
    renderToSVGString(): string
    dispose(): void
  }
}
declare module 'echarts/charts' {
  export const BarChart: unknown
  export const ScatterChart: unknown
}
declare module 'echarts/components' {
  export const GridComponent: unknown
  export const LegendComponent: unknown
  export const TitleComponent: unknown
}
declare module 'echarts/renderers' {
  export const SVGRenderer: unknown
}

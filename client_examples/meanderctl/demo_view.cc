#include "client_examples/meanderctl/demo_view.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "client_examples/scenes/braille_canvas.h"

namespace meander::ctl {
namespace {

using scenes::TerminalColor;

constexpr TerminalColor kBright[] = {96, 93, 95, 92, 94};
constexpr TerminalColor kTrail[] = {36, 33, 35, 32, 34};
constexpr TerminalColor kGray = 90;
// Drawings that a trail is made of.
constexpr std::size_t kTrailLength = 15;
// What stands above and below the canvas, and the line of the cursor.
constexpr std::size_t kOtherLines = 4;

std::string Colored(const std::string& text, TerminalColor color, bool colors) {
  if (!colors) return text;
  return "\x1b[" + std::to_string(color) + 'm' + text + "\x1b[m";
}

scenes::Point ToPoint(const std::array<float, 3>& vector) {
  return {static_cast<double>(vector[0]), static_cast<double>(vector[1]),
          static_cast<double>(vector[2])};
}

}  // namespace

scenes::Body ToBody(const FrameRow& row) {
  return {row.id, ToPoint(row.position), ToPoint(row.velocity)};
}

double MeanSpeed(const std::vector<FrameRow>& rows) {
  double sum = 0.0;
  for (const FrameRow& row : rows) {
    const auto [x, y, z] = ToPoint(row.velocity);
    sum += std::hypot(x, y, z);
  }
  return rows.empty() ? 0.0 : sum / static_cast<double>(rows.size());
}

std::string DemoStatus(const Watched& watched, const WatchRate& rate) {
  return "tick " + std::to_string(watched.tick) + "  " +
         Fixed(rate.FramesPerSecond(), 1) + " frames/s  " +
         std::to_string(watched.agents) + " agents  mean speed " +
         Fixed(MeanSpeed(watched.rows), 2) + "  hash " + Hash(watched.hash);
}

DemoView::DemoView(const scenes::Scene& scene, bool colors)
    : scene_(scene), colors_(colors), kinds_(scenes::KindsOfAgents(scene)) {}

std::vector<std::string> DemoView::Lines(const Watched& watched,
                                         const WatchRate& rate,
                                         const ScreenSize& size) {
  shown_.push_back(watched.rows);
  if (shown_.size() > kTrailLength) shown_.pop_front();
  std::vector<std::string> lines = {scene_.name + ": " + scene_.summary,
                                    DemoStatus(watched, rate)};
  const std::size_t rows = std::max(size.rows, kOtherLines + 1) - kOtherLines;
  for (std::string& line : Canvas(size.columns, rows)) {
    lines.push_back(std::move(line));
  }
  lines.push_back(Legend());
  return lines;
}

std::size_t DemoView::KindOf(std::int64_t id) const {
  const auto index = static_cast<std::size_t>(id - 1);
  return index < kinds_.size() ? kinds_[index] : 0;
}

std::vector<std::string> DemoView::Canvas(std::size_t columns,
                                          std::size_t rows) const {
  scenes::BrailleCanvas canvas(columns, rows);
  const scenes::Projection project(scene_.camera, canvas.width(),
                                   canvas.height());
  for (const scenes::Circle& mark : scene_.marks) {
    canvas.Circle(project(mark.center), mark.radius * project.scale(), kGray);
  }
  const auto dot = [&](const FrameRow& row, const auto& palette) {
    canvas.Dot(project(ToPoint(row.position)),
               palette[KindOf(row.id) % std::size(palette)]);
  };
  if (colors_) {
    // Without colors they would look like agents.
    for (const std::vector<FrameRow>& before : shown_) {
      for (const FrameRow& row : before) dot(row, kTrail);
    }
  }
  for (const FrameRow& row : shown_.back()) dot(row, kBright);
  return canvas.Lines(colors_);
}

std::string DemoView::Legend() const {
  std::string legend;
  for (std::size_t i = 0; i < scene_.kinds.size(); ++i) {
    legend +=
        Colored(scene_.kinds[i], kBright[i % std::size(kBright)], colors_) +
        "  ";
  }
  return legend + " seed " + std::to_string(scene_.simulation.seed()) +
         "   Ctrl-C ends";
}

}  // namespace meander::ctl

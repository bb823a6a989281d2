#include "client_examples/scenes/trail_picture.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

namespace meander::scenes {
namespace {

// The drawing's own units: whole numbers of them are fine enough.
constexpr double kWidth = 1600.0;
constexpr double kHeight = 800.0;
// How far a line may pass by what it stands for.
constexpr double kTolerance = 1.3;
constexpr double kDartLength = 15.0;
constexpr double kDartWidth = 10.0;

constexpr const char* kColors[] = {"#4cc9f0", "#ffb703", "#f15bb5", "#80ed99",
                                   "#b79cff"};
// Of trails, the oldest part first.
constexpr const char* kOpacities[] = {".12", ".25", ".45", ".8"};
constexpr std::size_t kBands = std::size(kOpacities);

const char* ColorOf(std::size_t kind) {
  return kColors[kind % std::size(kColors)];
}

std::size_t KindOf(const Picture& picture, std::int64_t id) {
  const auto index = static_cast<std::size_t>(id - 1);
  return id >= 1 && index < picture.kind_of_agent.size()
             ? picture.kind_of_agent[index]
             : 0;
}

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += letter;
    }
  }
  return out;
}

struct Pixel {
  long x = 0;
  long y = 0;
};

Pixel Rounded(const Spot& spot) {
  // Far outside nothing is seen, wherever it is.
  static constexpr double kFar = 1e5;
  const auto round = [](double value) {
    return std::lround(std::clamp(value, -kFar, kFar));
  };
  return {round(spot.x), round(spot.y)};
}

// "5-7", or "5 7".
void AppendPair(const Pixel& pair, std::string& path) {
  path += std::to_string(pair.x);
  if (pair.y >= 0) path += ' ';
  path += std::to_string(pair.y);
}

// Lines through the spots, the first of which is where the path is moved to.
void AppendLine(std::span<const Spot> spots, std::string& path) {
  Pixel at = Rounded(spots.front());
  path += 'M';
  AppendPair(at, path);
  char before = 0;
  for (const Spot& spot : spots.subspan(1)) {
    const Pixel next = Rounded(spot);
    const Pixel by = {next.x - at.x, next.y - at.y};
    if (by.x == 0 && by.y == 0) continue;
    if (before == 0) {
      path += 'l';
    } else if (by.x >= 0) {
      path += ' ';
    }
    before = 'l';
    AppendPair(by, path);
    at = next;
  }
  // A dot, where nothing moved.
  if (before == 0) path += "h0";
}

double DistanceFromLine(const Spot& spot, const Spot& a, const Spot& b) {
  const double x = b.x - a.x;
  const double y = b.y - a.y;
  const double square = x * x + y * y;
  double share =
      square > 0.0 ? ((spot.x - a.x) * x + (spot.y - a.y) * y) / square : 0.0;
  share = std::clamp(share, 0.0, 1.0);
  return std::hypot(spot.x - a.x - share * x, spot.y - a.y - share * y);
}

// As few of the spots as come near all the others (D. Douglas, T. Peucker,
// "Algorithms for the reduction of the number of points required to represent a
// digitized line", 1973), without recursion.
std::vector<Spot> Simplified(std::span<const Spot> spots) {
  std::vector<bool> stays(spots.size(), false);
  stays.front() = stays.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open = {
      {0, spots.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    std::size_t farthest = first;
    double distance = kTolerance;
    for (std::size_t i = first + 1; i < last; ++i) {
      const double here = DistanceFromLine(spots[i], spots[first], spots[last]);
      if (here > distance) {
        distance = here;
        farthest = i;
      }
    }
    if (farthest == first) continue;
    stays[farthest] = true;
    open.push_back({first, farthest});
    open.push_back({farthest, last});
  }
  std::vector<Spot> out;
  for (std::size_t i = 0; i < spots.size(); ++i) {
    if (stays[i]) out.push_back(spots[i]);
  }
  return out;
}

// A part of a trail without the jumps from one side of a torus to the other.
void AppendPieces(std::span<const Spot> spots, double jump, std::string& path) {
  std::size_t first = 0;
  for (std::size_t i = 1; i <= spots.size(); ++i) {
    const bool ends = i == spots.size() ||
                      std::fabs(spots[i].x - spots[i - 1].x) > jump ||
                      std::fabs(spots[i].y - spots[i - 1].y) > jump;
    if (!ends) continue;
    if (i - first > 1) {
      AppendLine(Simplified(spots.subspan(first, i - first)), path);
    }
    first = i;
  }
}

void AppendDart(const Spot& at, const Spot& heading, std::string& path) {
  const double length = std::hypot(heading.x, heading.y);
  const double x = length > 0.0 ? heading.x / length : 0.0;
  const double y = length > 0.0 ? heading.y / length : -1.0;
  const Spot tip = {at.x + kDartLength * 0.6 * x, at.y + kDartLength * 0.6 * y};
  const Spot back = {at.x - kDartLength * 0.4 * x,
                     at.y - kDartLength * 0.4 * y};
  const double half = kDartWidth / 2.0;
  const Spot dart[] = {tip,
                       {back.x - half * y, back.y + half * x},
                       {back.x + half * y, back.y - half * x}};
  AppendLine(dart, path);
  path += 'z';
}

// The paths of one kind of agents.
struct Paths {
  std::string trails[kBands];
  std::string darts;
};

std::vector<Paths> MakePaths(const Picture& picture, const Trails& trails) {
  const Projection project(picture.camera, kWidth, kHeight);
  const double jump = project.scale() * std::min(picture.camera.half_width,
                                                 picture.camera.half_height);
  std::vector<Paths> paths(std::max<std::size_t>(picture.kinds.size(), 1));
  for (const auto& [id, trail] : trails.trails()) {
    Paths& mine = paths[KindOf(picture, id) % paths.size()];
    std::vector<Spot> spots;
    for (const Point& point : trail.points) spots.push_back(project(point));
    std::size_t first = 0;
    for (std::size_t i = 0; i < spots.size(); ++i) {
      const auto band = [&trails, from = trail.first](std::size_t sample) {
        return (from + sample) * kBands / trails.samples();
      };
      const bool last = i + 1 == spots.size();
      if (!last && band(i + 1) == band(first)) continue;
      // Its last spot is also the first one of the next part.
      const std::size_t end = last ? i : i + 1;
      AppendPieces(std::span(spots).subspan(first, end - first + 1), jump,
                   mine.trails[band(first)]);
      first = end;
    }
    if (trail.first + trail.points.size() == trails.samples()) {
      AppendDart(spots.back(), project.Direction(trail.velocity), mine.darts);
    }
  }
  return paths;
}

void AppendPath(const std::string& attributes, const std::string& path,
                std::string& out) {
  if (!path.empty()) {
    out += "<path " + attributes + " d=\"" + path + "\"/>\n";
  }
}

}  // namespace

void Trails::Add(const std::vector<Body>& bodies) {
  for (const Body& body : bodies) {
    Trail& trail = trails_[body.id];
    if (trail.points.empty()) trail.first = samples_;
    trail.points.push_back(body.position);
    trail.velocity = body.velocity;
  }
  ++samples_;
}

std::string ToSvg(const Picture& picture, const Trails& trails) {
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1600 800\" "
      "width=\"800\" height=\"400\" font-family=\"sans-serif\" "
      "font-size=\"26\">\n<title>" +
      Escaped(picture.title) + "</title>\n<desc>" +
      Escaped(picture.description) +
      "</desc>\n<rect width=\"1600\" height=\"800\" rx=\"16\" "
      "fill=\"#0d1321\"/>\n";
  const Projection project(picture.camera, kWidth, kHeight);
  for (const Circle& circle : picture.circles) {
    const Pixel at = Rounded(project(circle.center));
    out += "<circle cx=\"" + std::to_string(at.x) + "\" cy=\"" +
           std::to_string(at.y) + "\" r=\"" +
           std::to_string(std::lround(circle.radius * project.scale())) +
           "\" fill=\"#1b263b\" stroke=\"#778da9\" stroke-width=\"2\"/>\n";
  }
  const std::vector<Paths> paths = MakePaths(picture, trails);
  for (std::size_t kind = 0; kind < paths.size(); ++kind) {
    const std::string color = ColorOf(kind);
    out += "<g fill=\"none\" stroke=\"" + color +
           "\" stroke-width=\"3\" stroke-linecap=\"round\" "
           "stroke-linejoin=\"round\">\n";
    for (std::size_t band = 0; band < kBands; ++band) {
      AppendPath(std::string("stroke-opacity=\"") + kOpacities[band] + '"',
                 paths[kind].trails[band], out);
    }
    out += "</g>\n";
    AppendPath("fill=\"" + color + '"', paths[kind].darts, out);
  }
  if (!picture.kinds.empty()) {
    out += "<text x=\"28\" y=\"774\">";
    for (std::size_t kind = 0; kind < picture.kinds.size(); ++kind) {
      out += std::string("<tspan") + (kind > 0 ? " dx=\"28\"" : "") +
             " fill=\"" + ColorOf(kind) + "\">" + Escaped(picture.kinds[kind]) +
             "</tspan>";
    }
    out += "</text>\n";
  }
  return out + "</svg>\n";
}

}  // namespace meander::scenes

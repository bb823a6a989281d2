// Brake: the force -v.
//
// Source: C. Reynolds, GDC 1999: no velocity is desired. Pure functions.
#ifndef MEANDER_CORE_STEERING_BRAKE_H_
#define MEANDER_CORE_STEERING_BRAKE_H_

#include "core/steering/steering_block.h"

namespace meander::core {

void AddBrake(const SteeringBlock& block);

}  // namespace meander::core

#endif  // MEANDER_CORE_STEERING_BRAKE_H_

// Generated from the API document by `npm run gen`. Do not edit.

/** By the name of a request body, or of an object in it: its fields, with what the service checks about each. */
export const limits = {
  "AcceptInvite": {
    "contractor_id": {},
    "contractor_name": {
      "maxLength": 200
    }
  },
  "AcceptInviteByToken": {
    "token": {
      "required": true,
      "maxLength": 100
    },
    "contractor_id": {},
    "contractor_name": {
      "maxLength": 200
    }
  },
  "AcknowledgeTask": {
    "taking": {}
  },
  "ActivateSiteMap": {
    "site_map_id": {
      "required": true
    },
    "effective_at": {},
    "accept_poor": {}
  },
  "ActiveAreaChange": {
    "name": {
      "maxLength": 200
    },
    "area_kind": {},
    "exclusive": {},
    "base_m": {
      "min": -200,
      "max": 1000
    },
    "top_m": {
      "min": -200,
      "max": 1000
    },
    "contractor_id": {},
    "start_at": {},
    "end_at": {},
    "place": {},
    "colour": {
      "maxLength": 7
    },
    "notes": {
      "maxLength": 2000
    },
    "edited": {}
  },
  "ActiveAreaScheduleChange": {
    "name": {
      "maxLength": 200
    },
    "area_kind": {},
    "exclusive": {},
    "base_m": {
      "min": -200,
      "max": 1000
    },
    "top_m": {
      "min": -200,
      "max": 1000
    },
    "contractor_id": {},
    "place": {},
    "colour": {
      "maxLength": 7
    },
    "notes": {
      "maxLength": 2000
    },
    "include_running": {}
  },
  "AlertChange": {
    "title": {
      "maxLength": 120
    },
    "message": {
      "maxLength": 2000
    },
    "severity": {},
    "category": {},
    "effect": {},
    "activities": {},
    "place": {},
    "radius_m": {
      "min": 1,
      "max": 2000
    },
    "levels": {},
    "start_at": {},
    "end_at": {},
    "contractor_ids": {}
  },
  "AlertResolve": {
    "note": {
      "maxLength": 2000
    }
  },
  "AlertUnresolve": {
    "reason": {
      "maxLength": 2000
    }
  },
  "ApplyRegime": {
    "site_id": {},
    "regime": {
      "required": true
    }
  },
  "ApproveExtension": {
    "site_id": {},
    "note": {
      "maxLength": 10000
    },
    "red_conflict_reason": {
      "maxLength": 10000
    },
    "acknowledge_red_conflicts": {},
    "conflicts_hash": {
      "maxLength": 64
    },
    "content_hash": {
      "maxLength": 64
    }
  },
  "ApproveMembership": {
    "role": {},
    "contractor_id": {},
    "create_contractor": {}
  },
  "ApprovePermit": {
    "site_id": {},
    "stage2_controls": {
      "maxLength": 10000
    },
    "note": {
      "maxLength": 10000
    },
    "red_conflict_reason": {
      "maxLength": 10000
    },
    "acknowledge_red_conflicts": {},
    "conflicts_hash": {
      "maxLength": 64
    },
    "content_hash": {
      "maxLength": 64
    }
  },
  "AuthEvent": {
    "event": {
      "required": true
    },
    "at": {
      "required": true
    },
    "code": {
      "maxLength": 100
    },
    "skew_ms": {
      "min": -2147483648,
      "max": 2147483647
    },
    "app_version": {
      "required": true,
      "maxLength": 30
    },
    "platform": {
      "required": true,
      "maxLength": 200
    }
  },
  "BackTest": {
    "site_id": {},
    "states": {},
    "transitions": {}
  },
  "BackTest.states": {
    "key": {
      "required": true,
      "maxLength": 60
    },
    "label": {
      "required": true,
      "maxLength": 100
    },
    "kind": {
      "required": true
    }
  },
  "BackTest.transitions": {
    "key": {
      "required": true,
      "maxLength": 60
    },
    "action": {
      "required": true,
      "maxLength": 60
    },
    "from": {
      "required": true,
      "maxLength": 60
    },
    "to": {
      "required": true,
      "maxLength": 60
    },
    "actor": {
      "required": true,
      "maxLength": 60
    },
    "guards": {
      "required": true
    },
    "effects": {
      "required": true
    },
    "requires": {
      "required": true
    }
  },
  "BounceReports": {
    "events": {}
  },
  "BounceReports.events": {
    "event_id": {
      "required": true,
      "maxLength": 200
    },
    "type": {
      "required": true
    },
    "email": {
      "required": true,
      "maxLength": 320,
      "minLength": 3
    },
    "status": {
      "maxLength": 11
    },
    "message_id": {
      "maxLength": 400
    },
    "at": {},
    "diagnostic": {
      "maxLength": 2000
    }
  },
  "BulkCloseOut": {
    "site_id": {
      "required": true
    },
    "permit_ids": {
      "required": true
    },
    "content_hashes": {},
    "checklist": {},
    "note": {
      "maxLength": 10000
    }
  },
  "BulkCloseOut.checklist": {
    "work_complete_tools_removed": {},
    "area_safe_clean_checked": {},
    "fire_watch_complete": {}
  },
  "CalibrateSiteMap": {
    "points": {
      "required": true
    },
    "model": {},
    "dry_run": {}
  },
  "ChangeGeometryDefaults": {
    "site_id": {},
    "worker_radius_m": {
      "min": 0.5,
      "max": 100
    },
    "delivery_radius_m": {
      "min": 0.5,
      "max": 100
    },
    "slew_clearance_m": {
      "min": 0,
      "max": 20
    },
    "plant_margin_m": {
      "min": 0,
      "max": 50
    },
    "per_category": {},
    "snap_m": {
      "min": 0,
      "max": 10
    },
    "hole_buffer_m": {
      "min": -5,
      "max": 50
    },
    "min_part_m2": {
      "min": 0,
      "max": 10000
    },
    "min_width_m": {
      "min": 0,
      "max": 20
    },
    "fill_min_part_m2": {
      "min": 0,
      "max": 10000
    },
    "fill_min_width_m": {
      "min": 0,
      "max": 20
    },
    "simplify_m": {
      "min": 0,
      "max": 5
    }
  },
  "ChangePassword": {
    "current_password": {
      "required": true,
      "maxLength": 1000
    },
    "new_password": {
      "required": true,
      "maxLength": 1000
    }
  },
  "ChangePermitLinks": {
    "site_id": {},
    "entity_type": {
      "required": true
    },
    "entity_ids": {},
    "schedule_group_ids": {}
  },
  "CheckOverlaps": {
    "site_id": {
      "required": true
    },
    "geometry": {},
    "feature_id": {},
    "kind": {},
    "zone_type": {},
    "level_index": {
      "min": -50,
      "max": 300
    },
    "building_id": {},
    "start_at": {},
    "end_at": {},
    "kinds": {},
    "exclude_ids": {},
    "min_overlap_m2": {
      "min": 0,
      "max": 1000000000000
    }
  },
  "ClashRuleChange": {
    "name": {
      "maxLength": 200
    },
    "description": {
      "maxLength": 2000
    },
    "enabled": {},
    "a": {},
    "b": {},
    "when": {},
    "levels": {},
    "time_buffer_minutes": {
      "min": 0,
      "max": 1440
    },
    "min_overlap_minutes": {
      "min": 0,
      "max": 1440
    },
    "outcome": {},
    "change_note": {
      "maxLength": 500
    }
  },
  "ClashRuleChange.a": {
    "kinds": {
      "required": true
    }
  },
  "ClashRuleChange.b": {
    "kinds": {
      "required": true
    }
  },
  "ClashRuleChange.levels": {
    "mode": {
      "required": true
    },
    "max_gap": {
      "min": 1,
      "max": 50
    }
  },
  "CleanUpVersions": {
    "site_id": {
      "required": true
    },
    "dry_run": {}
  },
  "ClearEmailSuppression": {
    "reason": {
      "required": true,
      "maxLength": 500
    },
    "confirm": {}
  },
  "ClientEvents": {
    "events": {
      "required": true
    }
  },
  "CloneNotificationRule": {
    "name": {
      "maxLength": 200
    }
  },
  "CloneRuleProfile": {
    "name": {
      "required": true,
      "maxLength": 200
    },
    "target_site_id": {}
  },
  "CloneWorkflow": {
    "site_id": {
      "required": true
    },
    "permit_type_code": {
      "maxLength": 20
    },
    "name": {
      "maxLength": 200
    },
    "from": {},
    "publish": {}
  },
  "CloseOutPermit": {
    "site_id": {},
    "checklist": {},
    "note": {
      "maxLength": 10000
    },
    "content_hash": {
      "maxLength": 64
    }
  },
  "CloseOutPermit.checklist": {
    "work_complete_tools_removed": {},
    "area_safe_clean_checked": {},
    "fire_watch_complete": {}
  },
  "ConflictQuestion": {
    "site_id": {
      "required": true
    },
    "permit_id": {},
    "parent_id": {},
    "categories": {},
    "start_at": {},
    "end_at": {},
    "place": {},
    "include": {}
  },
  "ContractorChange": {
    "name": {
      "maxLength": 200
    },
    "short_name": {
      "maxLength": 12
    },
    "aliases": {},
    "colour": {
      "maxLength": 7
    },
    "trades": {},
    "registration_number": {
      "maxLength": 60
    },
    "email": {
      "maxLength": 320
    },
    "phone": {
      "maxLength": 60
    },
    "address": {
      "maxLength": 1000
    },
    "status": {}
  },
  "ConvertActiveArea": {
    "pattern": {
      "required": true
    }
  },
  "ConvertPlant": {
    "pattern": {
      "required": true
    }
  },
  "ConvertPoints": {
    "site_id": {
      "required": true
    },
    "epsg": {
      "required": true,
      "min": 1,
      "max": 999999
    },
    "points": {
      "required": true
    }
  },
  "ConvertPoints.points": {
    "east": {
      "required": true,
      "min": -100000000,
      "max": 100000000
    },
    "north": {
      "required": true,
      "min": -100000000,
      "max": 100000000
    }
  },
  "ConvertWorker": {
    "pattern": {
      "required": true
    }
  },
  "CopyFromRange": {
    "site_id": {
      "required": true
    },
    "from_date": {
      "required": true
    },
    "to_date": {
      "required": true
    },
    "target_date": {
      "required": true
    },
    "ids": {},
    "contractor_id": {},
    "building_id": {},
    "zone_id": {},
    "skip_duplicates": {},
    "dry_run": {}
  },
  "CutHole": {
    "site_id": {
      "required": true
    },
    "target_id": {
      "required": true
    },
    "buffer_m": {
      "min": -5,
      "max": 50
    },
    "allow_split": {},
    "scope": {},
    "effective_at": {},
    "cutter_id": {
      "required": true
    }
  },
  "CutHoleFreeform": {
    "site_id": {
      "required": true
    },
    "target_id": {
      "required": true
    },
    "buffer_m": {
      "min": -5,
      "max": 50
    },
    "allow_split": {},
    "scope": {},
    "effective_at": {},
    "polygon": {
      "required": true
    }
  },
  "DeclareBlockerOfClash": {
    "site_id": {
      "required": true
    },
    "episode_id": {
      "required": true
    },
    "affected": {
      "required": true
    },
    "started_at": {},
    "description": {
      "maxLength": 4000
    },
    "category": {},
    "responsible_contractor_id": {}
  },
  "DeliveryChange": {
    "name": {
      "maxLength": 200
    },
    "direction": {},
    "supplier_name": {
      "maxLength": 200
    },
    "haulier_name": {
      "maxLength": 200
    },
    "supplier_reference": {
      "maxLength": 100
    },
    "vehicle_kind": {},
    "vehicle_reg": {
      "maxLength": 20
    },
    "driver_name": {
      "maxLength": 200
    },
    "driver_phone": {
      "maxLength": 40
    },
    "vehicle_length_m": {
      "min": 1,
      "max": 60
    },
    "gross_weight_kg": {
      "min": 1,
      "max": 500000
    },
    "abnormal_load": {},
    "dangerous_goods": {
      "maxLength": 100
    },
    "gate_poi_id": {},
    "bay_id": {},
    "unload_method": {},
    "unload_plant_id": {},
    "radius_m": {
      "min": 0.5,
      "max": 100
    },
    "contractor_id": {},
    "start_at": {},
    "end_at": {},
    "place": {},
    "colour": {
      "maxLength": 7
    },
    "notes": {
      "maxLength": 2000
    },
    "status": {},
    "allow_overlap": {},
    "arrived_at": {},
    "left_at": {},
    "decision_note": {
      "maxLength": 1000
    },
    "reason": {},
    "note": {
      "maxLength": 1000
    }
  },
  "DropPermitSet": {
    "site_id": {},
    "archive": {}
  },
  "EndReferenceFeature": {
    "effective_at": {},
    "force": {}
  },
  "EndorsePermit": {
    "site_id": {},
    "stage1_controls": {
      "maxLength": 10000
    },
    "note": {
      "maxLength": 10000
    },
    "content_hash": {
      "maxLength": 64
    }
  },
  "FinishSchedule": {
    "at": {},
    "reason": {
      "maxLength": 500
    }
  },
  "FloorPlanVisibility": {
    "visible": {},
    "opacity": {
      "min": 0,
      "max": 1
    },
    "min_zoom": {
      "min": 0,
      "max": 24
    },
    "capture_visible": {}
  },
  "GeodataLayerChange": {
    "name": {
      "maxLength": 200
    },
    "style": {},
    "visible": {},
    "sort": {
      "min": -10000,
      "max": 10000
    },
    "utility": {},
    "quality_level": {}
  },
  "GeodataLayerChange.style": {
    "stroke": {
      "required": true,
      "maxLength": 7
    },
    "fill": {
      "required": true,
      "maxLength": 7
    },
    "width": {
      "required": true,
      "min": 0.5,
      "max": 20
    },
    "label_property": {
      "maxLength": 200
    }
  },
  "HandBackPermit": {
    "site_id": {},
    "note": {
      "maxLength": 10000
    },
    "work_complete": {},
    "fire_watch_minutes": {
      "min": 0,
      "max": 1440
    },
    "content_hash": {
      "maxLength": 64
    }
  },
  "ImportDrawing": {
    "site_id": {
      "required": true
    },
    "session_id": {
      "required": true
    },
    "name": {
      "maxLength": 200
    },
    "feature_id": {
      "required": true
    },
    "level_index": {
      "min": -100,
      "max": 300
    },
    "drawing_number": {
      "maxLength": 100
    },
    "revision": {
      "maxLength": 20
    },
    "suitability": {
      "maxLength": 20
    },
    "start_at": {},
    "end_at": {},
    "visible": {},
    "opacity": {
      "min": 0,
      "max": 1
    },
    "min_zoom": {
      "min": 0,
      "max": 24
    },
    "capture_visible": {},
    "inherit_placement": {},
    "layers": {},
    "units": {
      "min": 0,
      "max": 24
    },
    "placement": {}
  },
  "InlinePermit": {
    "site_id": {
      "required": true
    },
    "categories": {},
    "contractor_id": {},
    "receiver_id": {},
    "parent_id": {},
    "title": {
      "maxLength": 200
    },
    "description": {
      "maxLength": 10000
    },
    "controls": {
      "maxLength": 10000
    },
    "location": {
      "maxLength": 500
    },
    "place": {},
    "start_at": {},
    "end_at": {},
    "hazards": {},
    "ppe": {},
    "limitations": {
      "maxLength": 10000
    },
    "pre_checks": {},
    "rams_document_ids": {},
    "entities": {
      "required": true
    }
  },
  "InlinePermit.pre_checks": {
    "code": {
      "required": true,
      "maxLength": 60
    },
    "answer": {},
    "comment": {
      "maxLength": 2000
    }
  },
  "InlinePermit.entities": {
    "entity_type": {
      "required": true
    },
    "entity_id": {
      "required": true
    }
  },
  "LiftAreaStop": {
    "site_id": {},
    "note": {
      "required": true,
      "maxLength": 2000
    }
  },
  "LockSite": {
    "locked": {
      "required": true
    },
    "reason": {
      "required": true,
      "maxLength": 1000
    },
    "force": {}
  },
  "MarkAllRead": {
    "site_id": {},
    "kind": {
      "maxLength": 100
    },
    "up_to": {}
  },
  "MarkRead": {
    "read": {}
  },
  "NewActiveArea": {
    "site_id": {
      "required": true
    },
    "name": {
      "required": true,
      "maxLength": 200
    },
    "area_kind": {},
    "exclusive": {},
    "base_m": {
      "min": -200,
      "max": 1000
    },
    "top_m": {
      "min": -200,
      "max": 1000
    },
    "contractor_id": {},
    "start_at": {},
    "end_at": {},
    "place": {
      "required": true
    },
    "colour": {
      "maxLength": 7
    },
    "notes": {
      "maxLength": 2000
    }
  },
  "NewActiveAreaSchedule": {
    "site_id": {
      "required": true
    },
    "template": {
      "required": true
    },
    "pattern": {
      "required": true
    }
  },
  "NewAlert": {
    "site_id": {
      "required": true
    },
    "title": {
      "required": true,
      "maxLength": 120
    },
    "message": {
      "maxLength": 2000
    },
    "severity": {
      "required": true
    },
    "category": {
      "required": true
    },
    "effect": {},
    "activities": {},
    "place": {},
    "radius_m": {
      "min": 1,
      "max": 2000
    },
    "levels": {},
    "start_at": {},
    "end_at": {},
    "contractor_ids": {}
  },
  "NewAppointment": {
    "site_id": {
      "required": true
    },
    "user_id": {
      "required": true
    },
    "permit_type_id": {}
  },
  "NewAreaStop": {
    "site_id": {
      "required": true
    },
    "place": {
      "required": true
    },
    "radius_m": {
      "min": 1,
      "max": 2000
    },
    "levels": {},
    "reason": {
      "required": true,
      "maxLength": 500
    }
  },
  "NewBoundary": {
    "geometry": {
      "required": true
    }
  },
  "NewClashRule": {
    "site_id": {
      "required": true
    },
    "profile_id": {},
    "name": {
      "required": true,
      "maxLength": 200
    },
    "a": {
      "required": true
    },
    "b": {
      "required": true
    },
    "outcome": {
      "required": true
    },
    "description": {
      "maxLength": 2000
    },
    "enabled": {},
    "when": {},
    "levels": {},
    "time_buffer_minutes": {
      "min": 0,
      "max": 1440
    },
    "min_overlap_minutes": {
      "min": 0,
      "max": 1440
    }
  },
  "NewClashRule.a": {
    "kinds": {
      "required": true
    }
  },
  "NewClashRule.b": {
    "kinds": {
      "required": true
    }
  },
  "NewClashRule.levels": {
    "mode": {
      "required": true
    },
    "max_gap": {
      "min": 1,
      "max": 50
    }
  },
  "NewContractor": {
    "site_id": {
      "required": true
    },
    "name": {
      "required": true,
      "maxLength": 200
    },
    "short_name": {
      "maxLength": 12
    },
    "aliases": {},
    "colour": {
      "maxLength": 7
    },
    "trades": {},
    "registration_number": {
      "maxLength": 60
    },
    "email": {
      "maxLength": 320
    },
    "phone": {
      "maxLength": 60
    },
    "address": {
      "maxLength": 1000
    },
    "status": {},
    "confirm_similar": {}
  },
  "NewDelivery": {
    "site_id": {
      "required": true
    },
    "name": {
      "maxLength": 200
    },
    "direction": {},
    "supplier_name": {
      "maxLength": 200
    },
    "haulier_name": {
      "maxLength": 200
    },
    "supplier_reference": {
      "maxLength": 100
    },
    "vehicle_kind": {},
    "vehicle_reg": {
      "maxLength": 20
    },
    "driver_name": {
      "maxLength": 200
    },
    "driver_phone": {
      "maxLength": 40
    },
    "vehicle_length_m": {
      "min": 1,
      "max": 60
    },
    "gross_weight_kg": {
      "min": 1,
      "max": 500000
    },
    "abnormal_load": {},
    "dangerous_goods": {
      "maxLength": 100
    },
    "gate_poi_id": {},
    "bay_id": {},
    "unload_method": {},
    "unload_plant_id": {},
    "radius_m": {
      "min": 0.5,
      "max": 100
    },
    "contractor_id": {},
    "start_at": {},
    "end_at": {},
    "place": {
      "required": true
    },
    "colour": {
      "maxLength": 7
    },
    "notes": {
      "maxLength": 2000
    },
    "status": {},
    "allow_overlap": {},
    "permit_id": {}
  },
  "NewExtension": {
    "site_id": {},
    "requested_end_at": {
      "required": true
    },
    "reason": {
      "maxLength": 10000
    }
  },
  "NewFamily": {
    "site_id": {
      "required": true
    },
    "parent": {},
    "parent_id": {},
    "children": {
      "required": true
    }
  },
  "NewFamily.parent": {
    "categories": {},
    "contractor_id": {},
    "receiver_id": {},
    "parent_id": {},
    "title": {
      "maxLength": 200
    },
    "description": {
      "maxLength": 10000
    },
    "controls": {
      "maxLength": 10000
    },
    "location": {
      "maxLength": 500
    },
    "place": {},
    "start_at": {},
    "end_at": {},
    "hazards": {},
    "ppe": {},
    "limitations": {
      "maxLength": 10000
    },
    "pre_checks": {},
    "rams_document_ids": {}
  },
  "NewFamily.parent.pre_checks": {
    "code": {
      "required": true,
      "maxLength": 60
    },
    "answer": {},
    "comment": {
      "maxLength": 2000
    }
  },
  "NewFamily.children": {
    "categories": {},
    "contractor_id": {},
    "receiver_id": {},
    "title": {
      "maxLength": 200
    },
    "description": {
      "maxLength": 10000
    },
    "controls": {
      "maxLength": 10000
    },
    "location": {
      "maxLength": 500
    },
    "place": {},
    "start_at": {},
    "end_at": {},
    "hazards": {},
    "ppe": {},
    "limitations": {
      "maxLength": 10000
    },
    "pre_checks": {},
    "rams_document_ids": {}
  },
  "NewFamily.children.pre_checks": {
    "code": {
      "required": true,
      "maxLength": 60
    },
    "answer": {},
    "comment": {
      "maxLength": 2000
    }
  },
  "NewFill": {
    "site_id": {
      "required": true
    },
    "container": {
      "required": true
    },
    "level_index": {
      "min": -50,
      "max": 300
    },
    "start_at": {
      "required": true
    },
    "end_at": {
      "required": true
    },
    "template": {
      "required": true
    },
    "subtract": {},
    "clearance_m": {
      "min": 0,
      "max": 50
    },
    "bay": {},
    "min_part_m2": {
      "min": 0,
      "max": 1000000000000
    },
    "min_width_m": {
      "min": 0,
      "max": 20
    }
  },
  "NewFill.container": {
    "feature_id": {},
    "polygon": {}
  },
  "NewFill.template": {
    "name": {
      "required": true,
      "maxLength": 200
    },
    "area_kind": {},
    "contractor_id": {},
    "colour": {
      "maxLength": 7
    }
  },
  "NewFill.subtract": {
    "area_kinds": {},
    "zone_types": {}
  },
  "NewFill.bay": {
    "width_m": {
      "required": true,
      "min": 1,
      "max": 500
    },
    "length_m": {
      "required": true,
      "min": 1,
      "max": 500
    },
    "bearing_deg": {
      "min": 0,
      "max": 360
    }
  },
  "NewGeodataLayer": {
    "site_id": {
      "required": true
    },
    "name": {
      "required": true,
      "maxLength": 200
    },
    "role": {},
    "source": {
      "maxLength": 500
    },
    "surveyed_on": {},
    "style": {},
    "visible": {},
    "sort": {
      "min": -10000,
      "max": 10000
    },
    "utility": {},
    "quality_level": {},
    "reference_kind": {},
    "map": {},
    "crs": {
      "maxLength": 100
    },
    "features": {}
  },
  "NewGeodataLayer.style": {
    "stroke": {
      "required": true,
      "maxLength": 7
    },
    "fill": {
      "required": true,
      "maxLength": 7
    },
    "width": {
      "required": true,
      "min": 0.5,
      "max": 20
    },
    "label_property": {
      "maxLength": 200
    }
  },
  "NewGeodataLayer.map": {
    "key": {
      "required": true,
      "maxLength": 200
    },
    "name": {
      "required": true,
      "maxLength": 200
    },
    "code": {
      "maxLength": 200
    },
    "levels": {
      "maxLength": 200
    },
    "zone_type": {
      "maxLength": 200
    }
  },
  "NewInvite": {
    "email": {
      "required": true,
      "maxLength": 254,
      "minLength": 3
    },
    "role": {
      "required": true
    },
    "contractor_id": {},
    "name": {
      "maxLength": 200
    },
    "message": {
      "maxLength": 1000
    },
    "expires_at": {},
    "approval": {}
  },
  "NewInviteLink": {
    "role": {
      "required": true
    },
    "contractor_id": {},
    "contractor_choice": {},
    "max_uses": {
      "min": 1,
      "max": 500
    },
    "expires_at": {},
    "approval": {},
    "label": {
      "maxLength": 200
    }
  },
  "NewLabelStyles": {
    "styles": {
      "required": true
    },
    "layers": {}
  },
  "NewLabelStyles.styles": {
    "key": {
      "required": true,
      "maxLength": 40
    },
    "name": {
      "maxLength": 200
    },
    "text_colour": {
      "maxLength": 7
    },
    "halo_colour": {
      "maxLength": 7
    },
    "halo_px": {
      "min": 0,
      "max": 6
    },
    "background": {
      "maxLength": 7
    },
    "border_colour": {
      "maxLength": 7
    },
    "weight": {},
    "italic": {},
    "uppercase": {},
    "size_px": {
      "min": 8,
      "max": 72
    },
    "padding_px": {
      "min": 0,
      "max": 16
    },
    "sort": {
      "min": 0,
      "max": 1000
    }
  },
  "NewLabelStyles.layers": {
    "area": {},
    "building": {},
    "zone": {},
    "active_area": {},
    "worker": {},
    "plant": {},
    "delivery": {},
    "poi": {},
    "alert": {}
  },
  "NewLabelStyles.layers.area": {
    "visible": {},
    "min_zoom": {
      "min": 0,
      "max": 24
    },
    "max_zoom": {
      "min": 0,
      "max": 24
    },
    "style_key": {
      "maxLength": 40
    },
    "fields": {},
    "max_chars": {
      "min": 1,
      "max": 200
    }
  },
  "NewLabelStyles.layers.building": {
    "visible": {},
    "min_zoom": {
      "min": 0,
      "max": 24
    },
    "max_zoom": {
      "min": 0,
      "max": 24
    },
    "style_key": {
      "maxLength": 40
    },
    "fields": {},
    "max_chars": {
      "min": 1,
      "max": 200
    }
  },
  "NewLabelStyles.layers.zone": {
    "visible": {},
    "min_zoom": {
      "min": 0,
      "max": 24
    },
    "max_zoom": {
      "min": 0,
      "max": 24
    },
    "style_key": {
      "maxLength": 40
    },
    "fields": {},
    "max_chars": {
      "min": 1,
      "max": 200
    }
  },
  "NewLabelStyles.layers.active_area": {
    "visible": {},
    "min_zoom": {
      "min": 0,
      "max": 24
    },
    "max_zoom": {
      "min": 0,
      "max": 24
    },
    "style_key": {
      "maxLength": 40
    },
    "fields": {},
    "max_chars": {
      "min": 1,
      "max": 200
    }
  },
  "NewLabelStyles.layers.worker": {
    "visible": {},
    "min_zoom": {
      "min": 0,
      "max": 24
    },
    "max_zoom": {
      "min": 0,
      "max": 24
    },
    "style_key": {
      "maxLength": 40
    },
    "fields": {},
    "max_chars": {
      "min": 1,
      "max": 200
    }
  },
  "NewLabelStyles.layers.plant": {
    "visible": {},
    "min_zoom": {
      "min": 0,
      "max": 24
    },
    "max_zoom": {
      "min": 0,
      "max": 24
    },
    "style_key": {
      "maxLength": 40
    },
    "fields": {},
    "max_chars": {
      "min": 1,
      "max": 200
    }
  },
  "NewLabelStyles.layers.delivery": {
    "visible": {},
    "min_zoom": {
      "min": 0,
      "max": 24
    },
    "max_zoom": {
      "min": 0,
      "max": 24
    },
    "style_key": {
      "maxLength": 40
    },
    "fields": {},
    "max_chars": {
      "min": 1,
      "max": 200
    }
  },
  "NewLabelStyles.layers.poi": {
    "visible": {},
    "min_zoom": {
      "min": 0,
      "max": 24
    },
    "max_zoom": {
      "min": 0,
      "max": 24
    },
    "style_key": {
      "maxLength": 40
    },
    "fields": {},
    "max_chars": {
      "min": 1,
      "max": 200
    }
  },
  "NewLabelStyles.layers.alert": {
    "visible": {},
    "min_zoom": {
      "min": 0,
      "max": 24
    },
    "max_zoom": {
      "min": 0,
      "max": 24
    },
    "style_key": {
      "maxLength": 40
    },
    "fields": {},
    "max_chars": {
      "min": 1,
      "max": 200
    }
  },
  "NewNotificationRule": {
    "site_id": {
      "required": true
    },
    "name": {
      "required": true,
      "maxLength": 200
    },
    "event_kind": {
      "required": true,
      "maxLength": 100
    },
    "when": {},
    "audience": {
      "required": true
    },
    "channels": {},
    "title": {
      "required": true,
      "maxLength": 200
    },
    "body": {
      "maxLength": 1000
    },
    "urgency": {},
    "include_actor": {},
    "enabled": {}
  },
  "NewOversight": {
    "subordinate_id": {
      "required": true
    }
  },
  "NewPermit": {
    "site_id": {
      "required": true
    },
    "categories": {},
    "contractor_id": {},
    "receiver_id": {},
    "parent_id": {},
    "title": {
      "maxLength": 200
    },
    "description": {
      "maxLength": 10000
    },
    "controls": {
      "maxLength": 10000
    },
    "location": {
      "maxLength": 500
    },
    "place": {},
    "start_at": {},
    "end_at": {},
    "hazards": {},
    "ppe": {},
    "limitations": {
      "maxLength": 10000
    },
    "pre_checks": {},
    "rams_document_ids": {}
  },
  "NewPermit.pre_checks": {
    "code": {
      "required": true,
      "maxLength": 60
    },
    "answer": {},
    "comment": {
      "maxLength": 2000
    }
  },
  "NewPermitType": {
    "site_id": {
      "required": true
    },
    "code": {
      "required": true,
      "maxLength": 20
    },
    "name": {
      "maxLength": 200
    },
    "active": {},
    "requires_parent": {},
    "is_extendable": {},
    "single_stage": {},
    "requires_powra": {},
    "pre_checks": {},
    "expected_attachments": {},
    "default_duration_hours": {
      "min": 1,
      "max": 8760
    }
  },
  "NewPermitType.pre_checks": {
    "code": {
      "maxLength": 60
    },
    "label": {
      "required": true,
      "maxLength": 300
    },
    "required": {}
  },
  "NewPermitType.expected_attachments": {
    "key": {
      "maxLength": 60
    },
    "label": {
      "required": true,
      "maxLength": 200
    },
    "required": {}
  },
  "NewPlant": {
    "site_id": {
      "required": true
    },
    "name": {
      "required": true,
      "maxLength": 200
    },
    "category": {
      "required": true
    },
    "make": {
      "maxLength": 100
    },
    "model": {
      "maxLength": 100
    },
    "fleet_number": {
      "maxLength": 60
    },
    "owner_name": {
      "maxLength": 200
    },
    "length_m": {
      "min": 0.1,
      "max": 100
    },
    "width_m": {
      "min": 0.1,
      "max": 100
    },
    "bearing_deg": {
      "min": 0,
      "max": 360
    },
    "working_radius_m": {
      "min": 0.1,
      "max": 150
    },
    "slew_from_deg": {
      "min": 0,
      "max": 360
    },
    "slew_to_deg": {
      "min": 0,
      "max": 360
    },
    "tail_swing_m": {
      "min": 0.1,
      "max": 30
    },
    "exclusion_radius_m": {
      "min": 0,
      "max": 200
    },
    "height_m": {
      "min": 0.1,
      "max": 300
    },
    "capacity_kg": {
      "min": 0,
      "max": 5000000
    },
    "operator_name": {
      "maxLength": 200
    },
    "lifting": {},
    "lifts_persons": {},
    "last_examined_on": {},
    "examination_due_on": {},
    "examination_ref": {
      "maxLength": 200
    },
    "contractor_id": {},
    "start_at": {},
    "end_at": {},
    "place": {
      "required": true
    },
    "colour": {
      "maxLength": 7
    },
    "notes": {
      "maxLength": 2000
    },
    "source_plant_id": {},
    "end_previous": {},
    "permit_id": {}
  },
  "NewPlantSchedule": {
    "site_id": {
      "required": true
    },
    "template": {
      "required": true
    },
    "pattern": {
      "required": true
    },
    "permit_id": {}
  },
  "NewPoi": {
    "site_id": {
      "required": true
    },
    "name": {
      "required": true,
      "maxLength": 200
    },
    "poi_kind": {
      "required": true
    },
    "phone": {
      "maxLength": 60
    },
    "what3words": {
      "maxLength": 100
    },
    "contractor_id": {},
    "start_at": {},
    "end_at": {},
    "place": {
      "required": true
    },
    "colour": {
      "maxLength": 7
    },
    "notes": {
      "maxLength": 2000
    }
  },
  "NewPushSubscription": {
    "endpoint": {
      "required": true,
      "maxLength": 2000
    },
    "expiration_time": {
      "min": 0,
      "max": 7289654399999
    },
    "keys": {
      "required": true
    },
    "device_label": {
      "maxLength": 100
    },
    "previous_endpoint": {
      "maxLength": 2000
    },
    "vapid_key_id": {
      "maxLength": 40
    }
  },
  "NewPushSubscription.keys": {
    "p256dh": {
      "required": true,
      "maxLength": 200
    },
    "auth": {
      "required": true,
      "maxLength": 100
    }
  },
  "NewReferenceFeature": {
    "site_id": {
      "required": true
    },
    "code": {
      "maxLength": 60
    },
    "name": {
      "required": true,
      "maxLength": 200
    },
    "aliases": {},
    "zone_type": {},
    "building_id": {},
    "level_from": {
      "min": -50,
      "max": 300
    },
    "level_to": {
      "min": -50,
      "max": 300
    },
    "contractor_id": {},
    "kind": {},
    "outline": {},
    "geometry": {},
    "levels": {},
    "effective_at": {}
  },
  "NewReferenceFeature.levels": {
    "index": {
      "required": true,
      "min": -50,
      "max": 300
    },
    "name": {
      "maxLength": 60
    },
    "aliases": {},
    "floor_elevation_m": {
      "min": -1000,
      "max": 10000
    },
    "height_m": {
      "min": 0.1,
      "max": 1000
    }
  },
  "NewRuleProfile": {
    "site_id": {
      "required": true
    },
    "name": {
      "required": true,
      "maxLength": 200
    },
    "description": {
      "maxLength": 2000
    },
    "start_from": {}
  },
  "NewShift": {
    "site_id": {
      "required": true
    },
    "name": {
      "required": true,
      "maxLength": 60
    },
    "contractor_id": {},
    "start_time": {
      "required": true
    },
    "end_time": {
      "required": true
    },
    "weekdays": {},
    "breaks": {},
    "valid_from": {},
    "replaces": {}
  },
  "NewShift.breaks": {
    "start_time": {
      "required": true
    },
    "end_time": {
      "required": true
    }
  },
  "NewSite": {
    "name": {
      "required": true,
      "maxLength": 200
    },
    "timezone": {
      "required": true,
      "maxLength": 60
    },
    "code": {
      "maxLength": 12,
      "minLength": 2
    },
    "address_lines": {},
    "locality": {
      "maxLength": 200
    },
    "postal_code": {
      "maxLength": 20
    },
    "country_code": {
      "maxLength": 2
    },
    "location": {},
    "locale": {
      "maxLength": 35,
      "minLength": 2
    },
    "currency": {
      "maxLength": 3,
      "minLength": 3
    },
    "starts_on": {},
    "planned_finish_on": {},
    "work_weekdays": {},
    "holidays": {},
    "extra_work_dates": {},
    "terrain": {},
    "weather_limits": {},
    "emergency_phone": {
      "maxLength": 60
    },
    "settings": {},
    "public_listing": {},
    "boundary": {},
    "copy_from_site_id": {}
  },
  "NewSite.holidays": {
    "date": {
      "required": true
    },
    "name": {
      "required": true,
      "maxLength": 100
    }
  },
  "NewSite.extra_work_dates": {
    "date": {
      "required": true
    },
    "name": {
      "required": true,
      "maxLength": 100
    }
  },
  "NewSite.weather_limits": {
    "key": {
      "required": true,
      "maxLength": 40
    },
    "label": {
      "required": true,
      "maxLength": 100
    },
    "activity": {
      "required": true,
      "maxLength": 40
    },
    "metric": {
      "required": true,
      "maxLength": 40
    },
    "op": {
      "required": true
    },
    "caution": {
      "required": true,
      "min": -1000000000000,
      "max": 1000000000000
    },
    "stop": {
      "required": true,
      "min": -1000000000000,
      "max": 1000000000000
    },
    "height_m": {
      "min": 0,
      "max": 1000
    },
    "enabled": {
      "required": true
    }
  },
  "NewSite.settings": {
    "diary": {},
    "groups": {},
    "documents_may_leave": {},
    "date_order": {},
    "import_headers": {}
  },
  "NewSite.settings.diary": {
    "period": {},
    "week_ends_on": {
      "min": 1,
      "max": 7
    },
    "issue_time": {},
    "hidden_sections": {}
  },
  "NewSite.settings.groups": {
    "off": {
      "required": true
    }
  },
  "NewSmartGroup": {
    "site_id": {
      "required": true
    },
    "subject": {
      "required": true
    },
    "name": {
      "required": true,
      "maxLength": 200
    },
    "predicate": {
      "required": true
    },
    "description": {
      "maxLength": 2000
    },
    "visibility": {},
    "colour": {
      "maxLength": 7
    },
    "icon": {
      "maxLength": 60
    },
    "sort": {
      "min": -1000000,
      "max": 1000000
    },
    "dry_run": {},
    "at": {}
  },
  "NewTextLabel": {
    "site_id": {
      "required": true
    },
    "text": {
      "required": true,
      "maxLength": 200
    },
    "rotation_deg": {
      "min": -180,
      "max": 180
    },
    "size_px": {
      "min": 8,
      "max": 72
    },
    "style_key": {
      "maxLength": 60
    },
    "anchor": {},
    "min_zoom": {
      "min": 0,
      "max": 24
    },
    "max_zoom": {
      "min": 0,
      "max": 24
    },
    "contractor_id": {},
    "start_at": {},
    "end_at": {},
    "place": {
      "required": true
    },
    "colour": {
      "maxLength": 7
    },
    "notes": {
      "maxLength": 2000
    }
  },
  "NewWorker": {
    "site_id": {
      "required": true
    },
    "name": {
      "required": true,
      "maxLength": 200
    },
    "trade": {
      "required": true,
      "maxLength": 100
    },
    "headcount": {
      "min": 1,
      "max": 200
    },
    "supervisor_name": {
      "maxLength": 200
    },
    "activity": {
      "maxLength": 500
    },
    "radius_m": {
      "min": 0.5,
      "max": 100
    },
    "contractor_id": {},
    "start_at": {},
    "end_at": {
      "required": true
    },
    "place": {
      "required": true
    },
    "colour": {
      "maxLength": 7
    },
    "notes": {
      "maxLength": 2000
    },
    "permit_id": {}
  },
  "NewWorkerSchedule": {
    "site_id": {
      "required": true
    },
    "template": {
      "required": true
    },
    "pattern": {
      "required": true
    },
    "permit_id": {}
  },
  "NotificationRuleChange": {
    "name": {
      "maxLength": 200
    },
    "event_kind": {
      "maxLength": 100
    },
    "when": {},
    "audience": {},
    "channels": {},
    "title": {
      "maxLength": 200
    },
    "body": {
      "maxLength": 1000
    },
    "urgency": {},
    "include_actor": {},
    "enabled": {}
  },
  "NukeSite": {
    "confirm": {
      "required": true,
      "maxLength": 12
    },
    "reason": {
      "required": true,
      "maxLength": 1000
    },
    "override_retention": {}
  },
  "PermitChange": {
    "site_id": {},
    "categories": {},
    "contractor_id": {},
    "receiver_id": {},
    "parent_id": {},
    "title": {
      "maxLength": 200
    },
    "description": {
      "maxLength": 10000
    },
    "controls": {
      "maxLength": 10000
    },
    "location": {
      "maxLength": 500
    },
    "place": {},
    "start_at": {},
    "end_at": {},
    "hazards": {},
    "ppe": {},
    "limitations": {
      "maxLength": 10000
    },
    "pre_checks": {},
    "rams_document_ids": {}
  },
  "PermitChange.pre_checks": {
    "code": {
      "required": true,
      "maxLength": 60
    },
    "answer": {},
    "comment": {
      "maxLength": 2000
    }
  },
  "PermitTypeChange": {
    "site_id": {},
    "code": {
      "maxLength": 20
    },
    "name": {
      "maxLength": 200
    },
    "active": {},
    "requires_parent": {},
    "is_extendable": {},
    "single_stage": {},
    "requires_powra": {},
    "pre_checks": {},
    "expected_attachments": {},
    "default_duration_hours": {
      "min": 1,
      "max": 8760
    }
  },
  "PermitTypeChange.pre_checks": {
    "code": {
      "maxLength": 60
    },
    "label": {
      "required": true,
      "maxLength": 300
    },
    "required": {}
  },
  "PermitTypeChange.expected_attachments": {
    "key": {
      "maxLength": 60
    },
    "label": {
      "required": true,
      "maxLength": 200
    },
    "required": {}
  },
  "PlaceFloorPlan": {
    "mode": {
      "required": true
    },
    "points": {},
    "model": {},
    "anchor": {},
    "anchor_sheet": {},
    "rotation_deg": {
      "min": -360,
      "max": 360
    },
    "scale": {
      "min": 0.000001,
      "max": 1000000
    },
    "corners": {},
    "epsg": {
      "min": 1,
      "max": 999999
    },
    "dry_run": {}
  },
  "PlaceFloorPlan.anchor_sheet": {
    "x": {
      "required": true,
      "min": -1000000000000,
      "max": 1000000000000
    },
    "y": {
      "required": true,
      "min": -1000000000000,
      "max": 1000000000000
    }
  },
  "PlantChange": {
    "name": {
      "maxLength": 200
    },
    "category": {},
    "make": {
      "maxLength": 100
    },
    "model": {
      "maxLength": 100
    },
    "fleet_number": {
      "maxLength": 60
    },
    "owner_name": {
      "maxLength": 200
    },
    "length_m": {
      "min": 0.1,
      "max": 100
    },
    "width_m": {
      "min": 0.1,
      "max": 100
    },
    "bearing_deg": {
      "min": 0,
      "max": 360
    },
    "working_radius_m": {
      "min": 0.1,
      "max": 150
    },
    "slew_from_deg": {
      "min": 0,
      "max": 360
    },
    "slew_to_deg": {
      "min": 0,
      "max": 360
    },
    "tail_swing_m": {
      "min": 0.1,
      "max": 30
    },
    "exclusion_radius_m": {
      "min": 0,
      "max": 200
    },
    "height_m": {
      "min": 0.1,
      "max": 300
    },
    "capacity_kg": {
      "min": 0,
      "max": 5000000
    },
    "operator_name": {
      "maxLength": 200
    },
    "lifting": {},
    "lifts_persons": {},
    "last_examined_on": {},
    "examination_due_on": {},
    "examination_ref": {
      "maxLength": 200
    },
    "contractor_id": {},
    "start_at": {},
    "end_at": {},
    "place": {},
    "colour": {
      "maxLength": 7
    },
    "notes": {
      "maxLength": 2000
    },
    "edited": {}
  },
  "PlantScheduleChange": {
    "name": {
      "maxLength": 200
    },
    "category": {},
    "make": {
      "maxLength": 100
    },
    "model": {
      "maxLength": 100
    },
    "fleet_number": {
      "maxLength": 60
    },
    "owner_name": {
      "maxLength": 200
    },
    "length_m": {
      "min": 0.1,
      "max": 100
    },
    "width_m": {
      "min": 0.1,
      "max": 100
    },
    "bearing_deg": {
      "min": 0,
      "max": 360
    },
    "working_radius_m": {
      "min": 0.1,
      "max": 150
    },
    "slew_from_deg": {
      "min": 0,
      "max": 360
    },
    "slew_to_deg": {
      "min": 0,
      "max": 360
    },
    "tail_swing_m": {
      "min": 0.1,
      "max": 30
    },
    "exclusion_radius_m": {
      "min": 0,
      "max": 200
    },
    "height_m": {
      "min": 0.1,
      "max": 300
    },
    "capacity_kg": {
      "min": 0,
      "max": 5000000
    },
    "operator_name": {
      "maxLength": 200
    },
    "lifting": {},
    "lifts_persons": {},
    "last_examined_on": {},
    "examination_due_on": {},
    "examination_ref": {
      "maxLength": 200
    },
    "contractor_id": {},
    "place": {},
    "colour": {
      "maxLength": 7
    },
    "notes": {
      "maxLength": 2000
    },
    "include_running": {}
  },
  "PoiChange": {
    "name": {
      "maxLength": 200
    },
    "poi_kind": {},
    "phone": {
      "maxLength": 60
    },
    "what3words": {
      "maxLength": 100
    },
    "contractor_id": {},
    "start_at": {},
    "end_at": {},
    "place": {},
    "colour": {
      "maxLength": 7
    },
    "notes": {
      "maxLength": 2000
    }
  },
  "PreferenceChange": {
    "site_id": {},
    "enabled": {},
    "delivery": {},
    "quiet_hours": {},
    "digest_at": {},
    "digest_weekdays": {}
  },
  "PreferenceChange.quiet_hours": {
    "from": {
      "required": true
    },
    "to": {
      "required": true
    },
    "weekdays": {},
    "timezone": {
      "maxLength": 64
    }
  },
  "PreviewAreaStop": {
    "site_id": {
      "required": true
    },
    "place": {
      "required": true
    },
    "radius_m": {
      "min": 1,
      "max": 2000
    },
    "levels": {}
  },
  "PreviewClashRule": {
    "site_id": {
      "required": true
    },
    "definition": {},
    "rule_id": {},
    "from": {},
    "to": {},
    "limit": {
      "min": 0,
      "max": 50
    },
    "include": {}
  },
  "PreviewNotificationRule": {
    "site_id": {
      "required": true
    },
    "rule_id": {},
    "definition": {},
    "event_id": {},
    "payload": {}
  },
  "ReResolvePermits": {
    "site_id": {},
    "set_id": {}
  },
  "ReapplyCut": {
    "refresh": {}
  },
  "ReconcileSchedule": {
    "pattern": {
      "required": true
    },
    "restore_dates": {},
    "dry_run": {}
  },
  "ReferenceFeatureChange": {
    "code": {
      "maxLength": 60
    },
    "name": {
      "maxLength": 200
    },
    "aliases": {},
    "zone_type": {},
    "building_id": {},
    "level_from": {
      "min": -50,
      "max": 300
    },
    "level_to": {
      "min": -50,
      "max": 300
    },
    "contractor_id": {},
    "outline": {},
    "geometry": {},
    "levels": {},
    "effective_at": {}
  },
  "ReferenceFeatureChange.levels": {
    "index": {
      "required": true,
      "min": -50,
      "max": 300
    },
    "name": {
      "maxLength": 60
    },
    "aliases": {},
    "floor_elevation_m": {
      "min": -1000,
      "max": 10000
    },
    "height_m": {
      "min": 0.1,
      "max": 1000
    }
  },
  "Register": {
    "name": {
      "maxLength": 200
    },
    "email": {
      "maxLength": 254,
      "minLength": 3
    },
    "password": {
      "maxLength": 1000
    },
    "locale": {
      "maxLength": 35,
      "minLength": 2
    },
    "contractor_id": {},
    "contractor_name": {
      "maxLength": 200
    }
  },
  "RegisterByToken": {
    "token": {
      "required": true,
      "maxLength": 100
    },
    "name": {
      "maxLength": 200
    },
    "email": {
      "maxLength": 254,
      "minLength": 3
    },
    "password": {
      "maxLength": 1000
    },
    "locale": {
      "maxLength": 35,
      "minLength": 2
    },
    "contractor_id": {},
    "contractor_name": {
      "maxLength": 200
    }
  },
  "RejectExtension": {
    "site_id": {},
    "reason": {
      "required": true,
      "maxLength": 10000
    }
  },
  "RejectPermit": {
    "site_id": {},
    "reason": {
      "required": true,
      "maxLength": 10000
    }
  },
  "RemoveWorkers": {
    "site_id": {
      "required": true
    },
    "ids": {
      "required": true
    }
  },
  "ReprocessVector": {
    "threshold": {
      "min": 0,
      "max": 255
    },
    "min_length_m": {
      "min": 0,
      "max": 100
    },
    "simplify_m": {
      "min": 0,
      "max": 10
    },
    "straighten": {},
    "layers": {}
  },
  "RequestCorrections": {
    "site_id": {},
    "note": {
      "required": true,
      "maxLength": 10000
    }
  },
  "ResolveBlocker": {
    "cleared_at": {},
    "how": {
      "required": true,
      "maxLength": 2000
    },
    "restart": {}
  },
  "ResolveBlocker.restart": {
    "affected_id": {
      "required": true
    },
    "to_at": {
      "required": true
    },
    "reason": {
      "required": true,
      "maxLength": 500
    }
  },
  "ResolveTask": {
    "outcome": {
      "required": true
    },
    "note": {
      "maxLength": 2000
    }
  },
  "RevalidatePermit": {
    "site_id": {},
    "note": {
      "maxLength": 10000
    },
    "presence": {},
    "content_hash": {
      "maxLength": 64
    },
    "stop_ids": {}
  },
  "RevalidatePermit.presence": {
    "position": {},
    "accuracy_m": {
      "min": 0,
      "max": 1000000
    },
    "work_front_code": {
      "maxLength": 200
    }
  },
  "Revert": {
    "reason": {
      "required": true,
      "maxLength": 2000
    },
    "fields": {},
    "scope": {},
    "dry_run": {}
  },
  "RevertClashRule": {
    "change_note": {
      "maxLength": 500
    }
  },
  "RuleProfileChange": {
    "name": {
      "maxLength": 200
    },
    "description": {
      "maxLength": 2000
    }
  },
  "SavePermitConfig": {
    "site_id": {},
    "coverage_policy_enabled": {},
    "close_out_gate_enabled": {},
    "nominee_user_id": {},
    "deputy_nominee_user_id": {},
    "expiring_warning_lead_hours": {
      "min": 1,
      "max": 720
    },
    "activation_gap_lead_hours": {
      "min": 1,
      "max": 720
    }
  },
  "SaveWorkflow": {
    "site_id": {},
    "name": {
      "maxLength": 200
    },
    "states": {
      "required": true
    },
    "transitions": {
      "required": true
    }
  },
  "SaveWorkflow.states": {
    "key": {
      "required": true,
      "maxLength": 60
    },
    "label": {
      "required": true,
      "maxLength": 100
    },
    "kind": {
      "required": true
    }
  },
  "SaveWorkflow.transitions": {
    "key": {
      "required": true,
      "maxLength": 60
    },
    "action": {
      "required": true,
      "maxLength": 60
    },
    "from": {
      "required": true,
      "maxLength": 60
    },
    "to": {
      "required": true,
      "maxLength": 60
    },
    "actor": {
      "required": true,
      "maxLength": 60
    },
    "guards": {
      "required": true
    },
    "effects": {
      "required": true
    },
    "requires": {
      "required": true
    }
  },
  "SetClashConsequence": {
    "site_id": {
      "required": true
    },
    "clash_rule_id": {
      "required": true
    },
    "effect": {
      "required": true
    },
    "affected": {},
    "task_lead_hours": {
      "min": 0,
      "max": 720
    },
    "blocker_category": {},
    "loss_share_percent": {
      "min": 0,
      "max": 100
    },
    "instruction": {
      "maxLength": 500
    }
  },
  "SetClashStance": {
    "site_id": {
      "required": true
    },
    "episode_id": {
      "required": true
    },
    "kind": {
      "required": true
    },
    "reason": {
      "maxLength": 2000
    },
    "controls": {
      "maxLength": 2000
    },
    "owner_user_id": {},
    "owner_contractor_id": {},
    "due_at": {},
    "covers_until": {},
    "episode_version": {
      "min": 1,
      "max": 2147483647
    }
  },
  "SetClashStances": {
    "site_id": {
      "required": true
    },
    "items": {
      "required": true
    }
  },
  "SetClashStances.items": {
    "episode_id": {
      "required": true
    },
    "kind": {
      "required": true
    },
    "reason": {
      "maxLength": 2000
    },
    "controls": {
      "maxLength": 2000
    },
    "owner_user_id": {},
    "owner_contractor_id": {},
    "due_at": {},
    "covers_until": {},
    "episode_version": {
      "min": 1,
      "max": 2147483647
    }
  },
  "SetMainContractor": {
    "contractor_id": {
      "required": true
    }
  },
  "SetThreshold": {
    "risk_score": {
      "required": true,
      "min": 1,
      "max": 25
    }
  },
  "SetTransitive": {
    "oversight_transitive": {
      "required": true
    }
  },
  "SignPermit": {
    "site_id": {},
    "note": {
      "maxLength": 10000
    },
    "presence": {},
    "content_hash": {
      "maxLength": 64
    }
  },
  "SignPermit.presence": {
    "position": {},
    "accuracy_m": {
      "min": 0,
      "max": 1000000
    },
    "work_front_code": {
      "maxLength": 200
    }
  },
  "SiteChange": {
    "name": {
      "maxLength": 200
    },
    "code": {
      "maxLength": 12,
      "minLength": 2
    },
    "timezone": {
      "maxLength": 60
    },
    "address_lines": {},
    "locality": {
      "maxLength": 200
    },
    "postal_code": {
      "maxLength": 20
    },
    "country_code": {
      "maxLength": 2
    },
    "location": {},
    "locale": {
      "maxLength": 35,
      "minLength": 2
    },
    "currency": {
      "maxLength": 3,
      "minLength": 3
    },
    "starts_on": {},
    "planned_finish_on": {},
    "work_weekdays": {},
    "holidays": {},
    "extra_work_dates": {},
    "terrain": {},
    "weather_limits": {},
    "emergency_phone": {
      "maxLength": 60
    },
    "settings": {},
    "public_listing": {},
    "deleted": {}
  },
  "SiteChange.holidays": {
    "date": {
      "required": true
    },
    "name": {
      "required": true,
      "maxLength": 100
    }
  },
  "SiteChange.extra_work_dates": {
    "date": {
      "required": true
    },
    "name": {
      "required": true,
      "maxLength": 100
    }
  },
  "SiteChange.weather_limits": {
    "key": {
      "required": true,
      "maxLength": 40
    },
    "label": {
      "required": true,
      "maxLength": 100
    },
    "activity": {
      "required": true,
      "maxLength": 40
    },
    "metric": {
      "required": true,
      "maxLength": 40
    },
    "op": {
      "required": true
    },
    "caution": {
      "required": true,
      "min": -1000000000000,
      "max": 1000000000000
    },
    "stop": {
      "required": true,
      "min": -1000000000000,
      "max": 1000000000000
    },
    "height_m": {
      "min": 0,
      "max": 1000
    },
    "enabled": {
      "required": true
    }
  },
  "SiteChange.settings": {
    "diary": {},
    "groups": {},
    "documents_may_leave": {},
    "date_order": {},
    "import_headers": {}
  },
  "SiteChange.settings.diary": {
    "period": {},
    "week_ends_on": {
      "min": 1,
      "max": 7
    },
    "issue_time": {},
    "hidden_sections": {}
  },
  "SiteChange.settings.groups": {
    "off": {
      "required": true
    }
  },
  "SmartGroupChange": {
    "name": {
      "maxLength": 200
    },
    "predicate": {},
    "description": {
      "maxLength": 2000
    },
    "visibility": {},
    "colour": {
      "maxLength": 7
    },
    "icon": {
      "maxLength": 60
    },
    "sort": {
      "min": -1000000,
      "max": 1000000
    }
  },
  "SubmitPermit": {
    "site_id": {}
  },
  "SwitchNotificationRule": {
    "enabled": {
      "required": true
    }
  },
  "SyncRuleProfile": {
    "dry_run": {},
    "overwrite": {}
  },
  "TestDispatch": {
    "site_id": {
      "required": true
    },
    "channels": {},
    "rule_id": {},
    "user_id": {}
  },
  "TextLabelChange": {
    "text": {
      "maxLength": 200
    },
    "rotation_deg": {
      "min": -180,
      "max": 180
    },
    "size_px": {
      "min": 8,
      "max": 72
    },
    "style_key": {
      "maxLength": 60
    },
    "anchor": {},
    "min_zoom": {
      "min": 0,
      "max": 24
    },
    "max_zoom": {
      "min": 0,
      "max": 24
    },
    "contractor_id": {},
    "start_at": {},
    "end_at": {},
    "place": {},
    "colour": {
      "maxLength": 7
    },
    "notes": {
      "maxLength": 2000
    }
  },
  "TokenPhotoChange": {
    "work_date": {},
    "photo_kind": {},
    "caption": {
      "maxLength": 500
    },
    "in_diary": {}
  },
  "UndoCopy": {
    "site_id": {
      "required": true
    },
    "worker_ids": {},
    "plant_ids": {},
    "active_area_ids": {},
    "dry_run": {}
  },
  "Verification": {
    "site_id": {},
    "statement": {
      "required": true,
      "maxLength": 4000
    }
  },
  "WithdrawPermit": {
    "site_id": {},
    "reason": {
      "maxLength": 10000
    }
  },
  "WorkerChange": {
    "name": {
      "maxLength": 200
    },
    "trade": {
      "maxLength": 100
    },
    "headcount": {
      "min": 1,
      "max": 200
    },
    "supervisor_name": {
      "maxLength": 200
    },
    "activity": {
      "maxLength": 500
    },
    "radius_m": {
      "min": 0.5,
      "max": 100
    },
    "contractor_id": {},
    "start_at": {},
    "end_at": {},
    "place": {},
    "colour": {
      "maxLength": 7
    },
    "notes": {
      "maxLength": 2000
    },
    "edited": {}
  },
  "WorkerScheduleChange": {
    "name": {
      "maxLength": 200
    },
    "trade": {
      "maxLength": 100
    },
    "headcount": {
      "min": 1,
      "max": 200
    },
    "supervisor_name": {
      "maxLength": 200
    },
    "activity": {
      "maxLength": 500
    },
    "radius_m": {
      "min": 0.5,
      "max": 100
    },
    "contractor_id": {},
    "place": {},
    "colour": {
      "maxLength": 7
    },
    "notes": {
      "maxLength": 2000
    },
    "include_running": {}
  }
} as const
